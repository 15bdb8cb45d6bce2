import { eq, sql, type SQL } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { campaigns, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { resumeCampaign } from "@/lib/domain/campaigns/transitions";
import { encodeId } from "@/lib/ground/ids/ids";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, smtpError, storedEmail, type TestMailServer } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { lettersTo } from "@/lib/testing/team-letters";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer, stops, dispatch } = useMailServers(database);

/** A dispatcher that runs until the test ends. */
function startDispatcher(url: string) {
  const stop = new AbortController();
  const running = new Dispatcher({ db: database.db, transport: smtpTransport(url) }).run(
    stop.signal,
  );
  // Before the servers, which wait for their clients to hang up.
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
}

type Moment = "MAIL FROM" | "RCPT TO" | "the final dot";

/** A server that refuses all mail with these words until told otherwise. */
async function refusingServer(moment: Moment, words: string) {
  const state = { refuses: true };
  const answer = (now: Moment) =>
    state.refuses && now === moment ? smtpError(Number(words.slice(0, 3)), words.slice(4)) : null;
  const server: TestMailServer = await mailServer({
    onMailFrom: (_, __, callback) => callback(answer("MAIL FROM")),
    onRcptTo: (_, __, callback) => callback(answer("RCPT TO")),
    onData(stream, session, callback) {
      stream.resume();
      stream.on("end", () => {
        const refusal = answer("the final dot");
        const to = session.envelope.rcptTo.map(({ address }) => address);
        if (!refusal) server.mails.push({ from: "", to, raw: Buffer.alloc(0), session });
        callback(refusal);
      });
    },
  });
  return { server, state };
}

it.each<[Moment, string]>([
  ["MAIL FROM", "550 5.1.0 Sender address rejected"],
  ["MAIL FROM", "552 5.2.2 quota exceeded"],
  // Where Postfix says it unless told otherwise (smtpd_delay_reject), and Exim if it verifies senders.
  ["RCPT TO", "550 5.1.0 <a@b.c>: Sender address rejected: User unknown in local table"],
  ["RCPT TO", "550 <a@b.c>: Sender address rejected: Access denied"],
  ["RCPT TO", "553 5.7.1 <a@b.c>: Sender address rejected: not owned by user shop"],
  ["RCPT TO", "450 4.1.8 <a@b.c>: Sender address rejected: Domain not found"],
  ["RCPT TO", "550 Verification failed for <a@b.c>: No such user here"],
  ["the final dot", "554 5.7.1 Message rejected: this account is suspended"],
  ["the final dot", "552 5.2.2 quota exceeded"],
  ["the final dot", "550 <a@b.c>: Sender address rejected: Access denied"],
])("what is refused to a whole campaign at %s (%s) costs it nobody", async (moment, words) => {
  const { ctx, domain, key } = await sender();
  const { server, state } = await refusingServer(moment, words);
  await sendingCampaign(
    ctx,
    { id: key.id, name: domain },
    Array.from({ length: 300 }, (_, index) => ({ email: `reader${index}@example.org` })),
    { html: "<p>News</p>" },
  );
  startDispatcher(server.url);
  const campaignOf = async () => {
    const [row] = await database.db
      .select()
      .from(campaigns)
      .where(eq(campaigns.projectId, ctx.projectId));
    return row;
  };
  await until(async () => (await campaignOf())?.status === "PAUSED");
  const campaign = await campaignOf();
  expect(campaign?.failureReason).toContain(words);
  const count = async (condition: SQL) => {
    const [row] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from emails e left join email_queue q on q.email_id = e.id
      where e.project_id = ${ctx.projectId} and ${condition}`);
    return row?.n;
  };
  await until(async () => (await count(sql`q.lease_id is not null`)) === 0);
  expect(await count(sql`status = 'PENDING' and q.due_at is not null`)).toBe(300);
  expect(await count(sql`coalesce(q.attempts, e.attempts) > 0`)).toBeLessThanOrEqual(20 + 48);
  const suppressed = await database.db
    .select()
    .from(suppressions)
    .where(eq(suppressions.projectId, ctx.projectId));
  expect(suppressed).toEqual([]);
  await until(async () => {
    const [raw = ""] = await lettersTo(database.db, ctx.actor.id ?? "");
    const letter = (await PostalMime.parse(raw)).text?.replace(/\s+/g, " ");
    return letter?.includes(words.slice(-15));
  });

  state.refuses = false;
  // What was refused is tried again minutes later.
  await database.travel("7 minutes");
  const wireId = encodeId("campaign", campaign?.id ?? "");
  await expect(resumeCampaign(ctx, wireId)).rejects.toMatchObject({ code: "CONFLICT" });
  await resumeCampaign(ctx, wireId, { acknowledge: true });
  await until(async () => (await count(sql`status = 'SENT'`)) === 300, { seconds: 20 });
  expect(server.mails).toHaveLength(300);
});

it("a message that is refused alone is tried twice more within about an hour, and bounces softly", async () => {
  const { ctx, domain } = await sender();
  const server = await mailServer({
    onData(stream, { envelope }, callback) {
      const refuses = envelope.rcptTo[0]?.address.startsWith("refused") ?? false;
      stream.resume();
      stream.on("end", () => callback(refuses ? smtpError(554, "5.7.1 Looks like spam") : null));
    },
  });
  const [id = "", other = ""] = await send(ctx, {
    from: `shop@${domain}`,
    to: ["refused@example.org", "other@example.org"],
  });
  await dispatch(server.url);
  expect((await storedEmail(database.db, other)).status).toBe("SENT");
  const first = await storedEmail(database.db, id);
  expect(first).toMatchObject({
    status: "PENDING",
    events: [{ name: "deferred", data: { stage: "message", code: 554, enhancedCode: "5.7.1" } }],
  });
  expect(first.due_in).toBeGreaterThan(250);
  expect(first.due_in).toBeLessThanOrEqual(330);
  await database.travel("6 minutes");
  await dispatch(server.url);
  const second = await storedEmail(database.db, id);
  expect(second).toMatchObject({ status: "PENDING", attempts: 2 });
  expect(second.due_in).toBeGreaterThan(3_000);
  await database.travel("70 minutes");
  await dispatch(server.url);
  const last = await storedEmail(database.db, id);
  expect(last).toMatchObject({ status: "BOUNCED", waits: false });
  expect(last.events.at(-1)).toMatchObject({
    name: "bounced",
    data: { type: "soft", code: 554, cause: "content" },
  });
});

it("a message that is larger than the server takes bounces at once", async () => {
  const { ctx, domain } = await sender();
  const server = await mailServer({ size: 100 });
  const [id = ""] = await send(ctx, { from: `shop@${domain}` });
  await dispatch(server.url);
  expect(await storedEmail(database.db, id)).toMatchObject({
    status: "BOUNCED",
    events: [{ name: "bounced", data: { type: "soft", cause: "too_large" } }],
  });
});
