import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { messages } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getCampaignProgress } from "@/lib/domain/campaigns/read";
import { encodeId } from "@/lib/ground/ids/ids";
import type { PoolTimes } from "@/lib/engine/transports/smtp-client/session-pool";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, smtpError, storedEmail } from "@/lib/testing/delivery";
import { deadlyGate, smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

const people = (count: number, name = "p") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);

/** A dispatcher that runs until the test ends. */
function startDispatcher(url: string, times: Partial<PoolTimes> = {}) {
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(url, times) });
  const running = dispatcher.run(stop.signal);
  // Before the servers, which wait for their clients to hang up.
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
  return dispatcher;
}

/** What a test leaves would keep the next one's mail waiting. */
const nothingLeft = () =>
  until(async () => {
    const [queue] = await database.db.execute(sql`select count(*)::int as left from email_queue`);
    return queue?.["left"] === 0;
  });

/** A server that takes `allowed.sessions` sessions and answers 421 to any more. */
async function frugalServer(allowed: { sessions: number }) {
  const seen = { open: 0, most: 0, refused: 0 };
  const open = new Set<string>();
  const server = await mailServer({
    onConnect({ id }, callback) {
      if (open.size >= allowed.sessions) {
        seen.refused++;
        callback(smtpError(421, "4.7.0 Too many sessions"));
        return;
      }
      open.add(id);
      seen.most = Math.max(seen.most, open.size);
      callback();
    },
    onClose({ id }) {
      open.delete(id);
    },
  });
  return { server, seen };
}

describe("a server that allows fewer sessions than the pool has", () => {
  it("gets all mail over those it allows, and is asked for more later on", async () => {
    const { ctx, domain } = await sender();
    const allowed = { sessions: 5 };
    const { server, seen } = await frugalServer(allowed);
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(100) });
    const dispatcher = startDispatcher(server.url, { raiseSeconds: 0.3 });
    await until(() => server.mails.length === 100);
    const emails = await Promise.all(ids.map((id) => storedEmail(database.db, id)));
    expect(emails.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(seen.most).toBe(5);
    expect(seen.refused).toBeLessThanOrEqual(10);
    allowed.sessions = 8;
    await until(
      async () => {
        await send(ctx, { from: `shop@${domain}`, to: people(40) });
        dispatcher.notify();
        await nothingLeft();
        return seen.most > 5;
      },
      { seconds: 30 },
    );
  }, 60_000);

  it.each([2, 5, 6])("keeps one of %i for mail that is no campaign's", async (sessions) => {
    const { ctx, domain, key } = await sender();
    const held: (() => void)[] = [];
    let willing = false;
    const server = await mailServer({
      onData(stream, { envelope }, callback) {
        stream.resume();
        const campaign = envelope.rcptTo[0]?.address.startsWith("c") ?? false;
        stream.on("end", () => {
          if (campaign && !willing) held.push(() => callback());
          else callback();
        });
      },
    });
    await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      people(30, "c").map((email) => ({ email })),
      { html: "<p>News</p>" },
    );
    const dispatcher = startDispatcher(`${server.url}?connections=${sessions}`, {
      stalledSeconds: 600,
    });
    await until(() => held.length === sessions - 1);
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    dispatcher.notify();
    await until(async () => (await storedEmail(database.db, id)).status === "SENT");
    expect(held).toHaveLength(sessions - 1);
    willing = true;
    for (const answer of held) answer();
    await nothingLeft();
  });
});

describe("a server that says nothing", () => {
  it("to ten final dots keeps other mail from leaving for seconds only", async () => {
    const { ctx, domain } = await sender();
    const held: (() => void)[] = [];
    const server = await mailServer({
      onData(stream, { envelope }, callback) {
        stream.resume();
        const silent = envelope.rcptTo[0]?.address.startsWith("silent") ?? false;
        stream.on("end", () => {
          if (silent) held.push(() => callback());
          else callback();
        });
      },
    });
    const silent = await send(ctx, { from: `shop@${domain}`, to: people(10, "silent") });
    const dispatcher = startDispatcher(server.url, { stalledSeconds: 0.5 });
    await until(() => held.length === 10);
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(20) });
    dispatcher.notify();
    await until(async () => {
      const emails = await Promise.all(ids.map((id) => storedEmail(database.db, id)));
      return emails.every(({ status }) => status === "SENT");
    });
    for (const answer of held) answer();
    await until(async () => {
      const emails = await Promise.all(silent.map((id) => storedEmail(database.db, id)));
      return emails.every(({ status, attempts }) => status === "SENT" && attempts === 1);
    });
  });

  it("on ten idle sessions, dead without a word, costs the next mail seconds only", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const gate = await deadlyGate(server.port);
    stops.unshift(gate.stop);
    const dispatcher = startDispatcher(`smtp://127.0.0.1:${gate.port}`, {
      freshSeconds: 0.1,
      checkSeconds: 0.5,
    });
    const first = await send(ctx, { from: `shop@${domain}`, to: people(60) });
    dispatcher.notify();
    await until(async () => {
      const emails = await Promise.all(first.map((id) => storedEmail(database.db, id)));
      return emails.every(({ status }) => status === "SENT");
    });
    expect(gate.sockets()).toBeGreaterThan(3);
    gate.silence();
    await new Promise((resolve) => setTimeout(resolve, 150));
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    dispatcher.notify();
    await until(async () => (await storedEmail(database.db, id)).status === "SENT", { seconds: 5 });
    expect((await storedEmail(database.db, id)).attempts).toBe(1);
  });
});

describe("a refusal that is not the recipient's", () => {
  it("530 and 454 at RCPT TO are that recipient's: all others get their mail", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer({
      onRcptTo({ address }, _, callback) {
        if (address.startsWith("login")) callback(smtpError(530, "5.7.0 Authentication required"));
        else if (address.startsWith("later")) callback(smtpError(454, "4.7.0 Not now"));
        else callback();
      },
    });
    const ids = await send(ctx, {
      from: `shop@${domain}`,
      to: ["login@example.org", "later@example.org", ...people(20)],
    });
    startDispatcher(server.url);
    await until(() => server.mails.length === 20);
    await until(async () => {
      const [login, later] = await Promise.all(
        ids.slice(0, 2).map((id) => storedEmail(database.db, id)),
      );
      return login?.status === "BOUNCED" && later?.events.length === 1;
    });
    const later = await storedEmail(database.db, ids[1] ?? "");
    expect(later).toMatchObject({ status: "PENDING", attempts: 1 });
    expect(later.events).toMatchObject([{ name: "deferred", data: { code: 454 } }]);
  });

  it("a message whose answer was lost is tried again after minutes, not seconds", async () => {
    const { ctx, domain } = await sender();
    let gate: Awaited<ReturnType<typeof deadlyGate>> | null = null;
    const server = await mailServer({
      onData(stream) {
        stream.resume();
        stream.on("end", () => gate?.stop());
      },
    });
    gate = await deadlyGate(server.port);
    stops.unshift(gate.stop);
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    startDispatcher(`smtp://127.0.0.1:${gate.port}`);
    await until(async () => (await storedEmail(database.db, id)).events.length === 1);
    const email = await storedEmail(database.db, id);
    expect(email.events[0]?.name).toBe("deferred");
    expect(email.due_in).toBeGreaterThan(250);
  });
});

describe("a server that asks for less mail", () => {
  it("is given ever less, while what waits spends no tries, and all of it once it accepts", async () => {
    const { ctx, domain, key } = await sender();
    const state = { refuses: true, tries: 0 };
    const server = await mailServer({
      onMailFrom(_, __, callback) {
        if (state.refuses) state.tries++;
        callback(state.refuses ? smtpError(451, "4.7.1 Slow down, please") : null);
      },
    });
    await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      people(600, "reader").map((email) => ({ email })),
      { html: "<p>News</p>" },
    );
    const dispatcher = startDispatcher(server.url);
    const counts = async () => {
      const [row] = await database.db.execute<Record<"attempts" | "deferred" | "sent", number>>(sql`
        select coalesce(sum(coalesce(q.attempts, e.attempts))
            filter (where q.lease_id is null), 0)::int as attempts,
          count(*) filter (where status = 'SENT')::int as sent,
          (select count(*)::int from email_events v
            where v.project_id = ${ctx.projectId} and v.name = 'deferred') as deferred
        from emails e left join email_queue q on q.email_id = e.id
        where e.project_id = ${ctx.projectId}`);
      return row ?? { attempts: 0, deferred: 0, sent: 0 };
    };
    await until(() => state.tries >= 5);
    const slowed = performance.now();
    await until(() => performance.now() - slowed > 8_000, { seconds: 15 });
    // Those that were under way when it became plain, and a few probes.
    expect(state.tries).toBeLessThan(60);
    const { attempts, deferred } = await counts();
    expect(deferred).toBeLessThan(15);
    expect(attempts).toBe(deferred);
    const throttled = await database.db.execute(
      sql`select mail_server from workers where mail_server is not null`,
    );
    expect(throttled).toMatchObject([
      { mail_server: { state: "throttled", words: "451 4.7.1 Slow down, please" } },
    ]);

    state.refuses = false;
    const [urgent = ""] = await send(ctx, { from: `shop@${domain}`, to: "urgent@example.org" });
    dispatcher.notify();
    await until(() => server.mails.length > 0, { seconds: 40 });
    expect(server.mails[0]?.to).toEqual(["urgent@example.org"]);
    expect((await storedEmail(database.db, urgent)).attempts).toBe(1);
    await until(async () => (await counts()).sent >= 300, { seconds: 60 });
  }, 120_000);

  it("behind a relay is given less alone: the others' mail is not delayed, and nothing fails", async () => {
    const { ctx, domain, key } = await sender();
    const receiver = { taken: 0, since: performance.now(), refused: 0 };
    const server = await mailServer({
      onRcptTo({ address }, _, callback) {
        if (!address.endsWith("@slow.example")) {
          callback();
          return;
        }
        const now = performance.now();
        if (now - receiver.since > 2_000) Object.assign(receiver, { taken: 0, since: now });
        if (receiver.taken++ < 20) callback();
        else {
          receiver.refused++;
          callback(smtpError(421, "4.7.28 Too many messages from this sender"));
        }
      },
    });
    const everybody = Array.from(
      { length: 500 },
      (_, n) => `p${n}@${n % 5 === 0 ? "slow" : "quick"}.example`,
    );
    const { messageId } = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      everybody.map((email) => ({ email })),
      { html: "<p>News</p>" },
    );
    startDispatcher(server.url);
    const taken = (part: string) =>
      server.mails.filter(({ to }) => to[0]?.endsWith(`@${part}.example`)).length;
    await until(() => taken("quick") === 400, { seconds: 20 });
    expect(taken("slow")).toBeLessThan(100);
    const progressOf = async (message: string) => {
      const [row] = await database.db
        .select({ campaignId: messages.campaignId })
        .from(messages)
        .where(eq(messages.id, message));
      return getCampaignProgress(ctx, encodeId("campaign", row?.campaignId ?? ""));
    };
    await until(async () => (await progressOf(messageId)).slowed.length > 0, { seconds: 20 });
    const [slowed] = (await progressOf(messageId)).slowed;
    expect(slowed).toMatchObject({ receiver: "slow.example" });
    expect(slowed?.perMinute).toBeGreaterThan(0);
    // A campaign with no mail for it is not told who is slow.
    const other = await sendingCampaign(
      ctx,
      { id: key.id, name: domain },
      [{ email: "p@quick.example" }],
      { html: "<p>News</p>" },
    );
    expect((await progressOf(other.messageId)).slowed).toEqual([]);
    const statuses = () =>
      database.db.execute<{ status: string; n: number; attempts: number }>(sql`
        select status, count(*)::int as n, max(attempts) as attempts from emails
        where project_id = ${ctx.projectId} group by status`);
    // What was tried and refused comes again after a while; the others had their turn by then.
    await until(
      async () => {
        await database.travel("20 seconds");
        return taken("slow") === 100;
      },
      { seconds: 60, everyMilliseconds: 500 },
    );
    await until(async () => (await statuses()).every(({ status }) => status === "SENT"));
    const [deferred] = await database.db.execute<{ answered: number; lost: number }>(sql`
      select count(*) filter (where data ->> 'code' = '421')::int as answered,
        count(*) filter (where data ->> 'code' is null)::int as lost
      from email_events where project_id = ${ctx.projectId} and name = 'deferred'`);
    expect(deferred?.answered).toBeGreaterThan(0);
    expect(deferred?.lost).toBe(0);
    // Without a pace of its own each of its hundred would have been tried at once, and again and again.
    expect(receiver.refused).toBeLessThan(70);
  }, 120_000);
});
