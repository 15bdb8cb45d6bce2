import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { senderPauses, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteDomain } from "@/lib/domain/sending-domains/domains";
import { getSendingState, resumeSender } from "@/lib/domain/sending-state/read";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { send, smtpError, storedEmail, type TestMailServer } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { lettersTo } from "@/lib/testing/team-letters";
import { until } from "@/lib/testing/until";
import type { ClaimedEmail } from "./claim";
import { Dispatcher } from "./dispatcher";
import { parkEmails } from "./leases";
import { PausedSenders } from "./paused-senders";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

/** Runs until the test ends. */
function startDispatcher(url: string) {
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(url) });
  const running = dispatcher.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  stops.unshift(end);
  return { notify: () => dispatcher.notify(), end };
}

const moments = ["MAIL FROM", "RCPT TO", "the final dot"] as const;
type Moment = (typeof moments)[number];

const words = "550 5.1.0 Sender address rejected: not owned by user";
const wordsAt: Record<Moment, string> = {
  "MAIL FROM": words,
  "RCPT TO": words,
  "the final dot": "550 5.7.1 Message rejected: the account is suspended",
};

/** A server that refuses the senders in `refused`, whoever their mail is for. */
async function pickyServer(moment: Moment) {
  const refused = new Set<string>();
  let refusals = 0;
  const answer = (sender: string) => {
    if (![...refused].some((domain) => sender.endsWith(domain))) return null;
    refusals++;
    return smtpError(550, wordsAt[moment].slice(4));
  };
  const server: TestMailServer = await mailServer({
    onMailFrom({ address }, _, callback) {
      callback(moment === "MAIL FROM" ? answer(address) : null);
    },
    onRcptTo(_, { envelope }, callback) {
      const { mailFrom } = envelope;
      callback(moment === "RCPT TO" && mailFrom ? answer(mailFrom.address) : null);
    },
    onData(stream, session, callback) {
      stream.resume();
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        const refusal = moment === "the final dot" ? answer(from) : null;
        const to = rcptTo.map(({ address }) => address);
        if (!refusal) server.mails.push({ from, to, raw: Buffer.alloc(0), session });
        callback(refusal);
      });
    },
  });
  return { server, refused, refusals: () => refusals };
}

const people = (count: number, name = "p") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);

async function statuses(ctx: Context): Promise<Record<string, number>> {
  const rows = await database.db.execute<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from emails where project_id = ${ctx.projectId} group by status`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

async function held(ctx: Context): Promise<number> {
  const [row] = await database.db.execute<{ n: number }>(sql`
    select count(*)::int as n from email_queue
    where project_id = ${ctx.projectId} and due_at = 'infinity'`);
  return row?.n ?? 0;
}

/** How many were refused, as the queue has it. */
async function tried(ctx: Context): Promise<number> {
  const [row] = await database.db.execute<{ n: number }>(sql`
    select count(*)::int as n from email_queue
    where project_id = ${ctx.projectId} and asleep and due_at < 'infinity'`);
  return row?.n ?? 0;
}

async function underWay(ctx: Context): Promise<boolean> {
  const [row] = await database.db.execute<{ some: boolean }>(sql`select exists (
    select from email_queue where project_id = ${ctx.projectId} and not asleep) as some`);
  return row?.some ?? true;
}

async function pausedSender(count = 200, moment: Moment = "MAIL FROM") {
  const { ctx, domain, key } = await sender();
  const { server, refused, refusals } = await pickyServer(moment);
  refused.add(domain);
  await send(ctx, { from: `shop@${domain}`, to: people(100) });
  for (let left = count - 100; left > 0; left -= 100) {
    await send(ctx, { from: `shop@${domain}`, to: people(100, `q${left}-`) });
  }
  const dispatcher = startDispatcher(server.url);
  await until(async () => (await getSendingState(ctx)).senders.length === 1);
  return {
    ctx,
    domain,
    domainId: encodeId("domain", key.id),
    server,
    refused,
    refusals,
    dispatcher,
  };
}

describe("a sender that the mail server refuses, whoever its mail is for", () => {
  it.each(moments)("(%s) is paused, its owner is told, and one press sends all", async (moment) => {
    const { ctx, domain, domainId, server, refused, refusals } = await pausedSender(200, moment);
    await until(async () => (await held(ctx)) >= 130 && !(await underWay(ctx)));
    expect(refusals()).toBeLessThanOrEqual(20 + 48);
    expect(await statuses(ctx)).toEqual({ PENDING: 200 });
    const suppressed = await database.db
      .select()
      .from(suppressions)
      .where(eq(suppressions.projectId, ctx.projectId));
    expect(suppressed).toEqual([]);
    const state = await getSendingState(ctx);
    expect(state.senders).toMatchObject([
      { domain: domainId, name: domain, words: wordsAt[moment] },
    ]);
    await until(async () => {
      const [row] = await database.db.execute<{ raw: Buffer }>(sql`
        select raw from captured_emails where reader_user_id = ${ctx.actor.id}`);
      const letter = row && (await PostalMime.parse(row.raw)).text?.replace(/\s+/g, " ");
      return letter?.includes(domain) && letter.includes(wordsAt[moment]);
    });
    const [queued] = await database.db.execute<{ spent: number }>(sql`
      select count(*)::int as spent from email_queue
      where project_id = ${ctx.projectId} and due_at = 'infinity' and attempts > 0`);
    expect(queued?.spent).toBe(0);

    refused.clear();
    await expect(resumeSender({ ...ctx, testMode: true }, domainId)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    expect(await resumeSender(ctx, domainId)).toMatchObject({ id: domainId });
    await until(async () => (await statuses(ctx))["SENT"] === 200, { seconds: 20 });
    expect(server.mails).toHaveLength(200);
    await expect(resumeSender(ctx, domainId)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("keeps no other sender's mail waiting", async () => {
    const { dispatcher, server } = await pausedSender(100);
    const other = await sender();
    const [id = ""] = await send(other.ctx, { from: `shop@${other.domain}` });
    dispatcher.notify();
    await until(async () => (await storedEmail(database.db, id)).status === "SENT", { seconds: 5 });
    expect(server.mails).toHaveLength(1);
    expect((await getSendingState(other.ctx)).senders).toEqual([]);
  });

  it.each(moments)("(%s) goes on when one email that is tried is accepted", async (moment) => {
    const { ctx, domain, server, refused, refusals } = await pausedSender(200, moment);
    await until(async () => (await held(ctx)) >= 30 && !(await underWay(ctx)));
    const before = refusals();
    await database.travel("61 seconds");
    await until(() => refusals() > before);
    const afterProbe = refusals();
    await until(async () => !(await underWay(ctx)));
    expect((await getSendingState(ctx)).senders).toHaveLength(1);
    refused.clear();
    await database.travel("61 seconds");
    await until(async () => (await statuses(ctx))["SENT"] === 200, { seconds: 20 });
    expect(afterProbe).toBeLessThanOrEqual(before + 2);
    expect(server.mails.filter(({ from }) => from.endsWith(domain))).toHaveLength(200);
    expect((await getSendingState(ctx)).senders).toEqual([]);
  });

  it("whose messages of one kind are refused sends another within a minute, however many wait before it", async () => {
    const { ctx, domain } = await sender();
    const accepted: string[] = [];
    const server = await mailServer({
      onData(stream, { envelope }, callback) {
        const to = envelope.rcptTo[0]?.address ?? "";
        stream.resume();
        stream.on("end", () => {
          if (to.startsWith("other")) accepted.push(to);
          callback(to.startsWith("other") ? null : smtpError(554, "5.7.1 Looks like spam"));
        });
      },
    });
    for (const name of ["p", "q"]) {
      await send(ctx, { from: `shop@${domain}`, to: people(100, name) });
    }
    const dispatcher = startDispatcher(server.url);
    await until(async () => (await held(ctx)) >= 30 && !(await underWay(ctx)));
    const waiting = await held(ctx);
    await send(ctx, { from: `shop@${domain}`, to: "other@example.org" });
    dispatcher.notify();
    await until(async () => (await held(ctx)) === waiting + 1);
    expect(accepted).toEqual([]);
    await database.travel("61 seconds");
    await until(async () => (await statuses(ctx))["SENT"] === 1);
    expect(accepted).toEqual(["other@example.org"]);
    expect(await statuses(ctx)).toEqual({ PENDING: 200, SENT: 1 });
  });

  it("has its mail wait while the pause is being written, however long that takes", async () => {
    const { ctx, domain } = await sender();
    const { server, refused, refusals } = await pickyServer("MAIL FROM");
    refused.add(domain);
    for (const name of ["p", "q"]) {
      await send(ctx, { from: `shop@${domain}`, to: people(100, name) });
    }
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table ${senderPauses} in share mode`);
      startDispatcher(server.url);
      const seen = new Map<number, number>();
      // Mail that was under way has its answers, and nothing else is tried.
      await until(async () => {
        const count = await tried(ctx);
        if (count < 20 || count !== refusals()) return false;
        seen.set(count, (seen.get(count) ?? 0) + 1);
        return seen.get(count) === 10;
      });
    });
    await until(async () => (await held(ctx)) >= 130);
    expect(refusals()).toBeLessThanOrEqual(20 + 48);
  });

  it("has the email that is tried come back from a worker that has not heard of it", async () => {
    const { ctx, domainId, dispatcher } = await pausedSender();
    await until(async () => (await held(ctx)) >= 30 && !(await underWay(ctx)));
    await dispatcher.end();
    await database.travel("61 seconds");
    await new PausedSenders(database.db).refresh();
    const [claimed] = await database.db.execute<{ email_id: string; lease_id: string }>(sql`
      update email_queue set attempts = attempts + 1, lease_id = gen_random_uuid(),
        lease_until = app_now() + interval '90 seconds'
      where project_id = ${ctx.projectId} and not asleep returning email_id, lease_id`);
    const email = { id: claimed?.email_id, leaseId: claimed?.lease_id } as ClaimedEmail;
    await parkEmails(database.db, [{ email, domainId: decodeId("domain", domainId) ?? "" }]);
    const [row] = await database.db.execute<{ soon: boolean }>(sql`
      select due_at between app_now() and app_now() + interval '1 second' as soon
      from email_queue where email_id = ${email.id}`);
    expect(row?.soon).toBe(true);
  });

  it("that is paused again and again has its owner told once in six hours", async () => {
    const { ctx, domainId, server, dispatcher } = await pausedSender();
    const letters = async () => (await lettersTo(database.db, ctx.actor.id ?? "")).length;
    /** Lets the mail go, which the server refuses as before. */
    const pausedAgain = async () => {
      await resumeSender(ctx, domainId);
      await until(async () => (await getSendingState(ctx)).senders.length === 1, { seconds: 20 });
    };
    await until(async () => (await letters()) === 1);
    await pausedAgain();
    // It ends with the letters that were begun.
    await dispatcher.end();
    expect(await letters()).toBe(1);
    await database.travel("7 hours");
    startDispatcher(server.url);
    await pausedAgain();
    await until(async () => (await letters()) === 2);
  });

  it("whose domain is deleted leaves nothing that waits for ever", async () => {
    const { ctx, domainId, server, dispatcher } = await pausedSender();
    await until(async () => (await held(ctx)) >= 30, { what: "some of it is held back" });
    await dispatcher.end();
    await deleteDomain(ctx, domainId);
    startDispatcher(server.url);
    await until(async () => (await statuses(ctx))["FAILED"] === 200, { what: "all of it FAILED" });
  });
});

it("a mail server that refuses the login is shown with its words, and mail goes once it does not", async () => {
  const { ctx, domain } = await sender();
  const state = { refuses: true };
  const server = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth(_, __, callback) {
      if (state.refuses) callback(smtpError(535, "5.7.8 Password expired"));
      else callback(null, { user: "shop" });
    },
  });
  const [id = ""] = await send(ctx, { from: `shop@${domain}` });
  startDispatcher(`smtp://shop:secret@127.0.0.1:${server.port}`);
  await until(async () => (await getSendingState(ctx)).mailServer !== null);
  const { mailServer: trouble, waiting } = await getSendingState(ctx);
  expect(trouble).toMatchObject({ state: "unavailable", perMinute: null });
  expect(trouble?.words).toContain("5.7.8 Password expired");
  expect(waiting).toEqual({ transactional: 1, campaigns: 0 });
  state.refuses = false;
  await until(async () => (await storedEmail(database.db, id)).status === "SENT", { seconds: 20 });
  expect((await storedEmail(database.db, id)).attempts).toBe(1);
  await until(async () => (await getSendingState(ctx)).mailServer === null);
});
