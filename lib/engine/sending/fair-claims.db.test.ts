import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { cancelEmail, rescheduleEmail } from "@/lib/domain/emails/reschedule";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, storedEmail } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { claimEmails } from "./claim";
import { Dispatcher } from "./dispatcher";
import { wakeSleepers } from "./leases";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);
beforeEach(async () => {
  await database.db.execute(sql`truncate emails, email_queue cascade`);
});

const claim = (limit: number, keptForCampaigns = 0) =>
  claimEmails(database.db, { limit, leaseSeconds: 60, keptForCampaigns });
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: `c${n}@example.org` }));

/** `count` mails that are due now, each of a project of its own. */
async function ofManyProjects(count: number): Promise<void> {
  await database.db.execute(sql`
    with written as (
      insert into emails (id, project_id, message_id, recipient, source, status)
      select new_id(), new_id(), ${newUnownedId()}, 'p@example.org', 'TRANSACTIONAL', 'PENDING'
      from generate_series(1, ${count}) returning id, project_id
    ) insert into email_queue (email_id, project_id, due_at)
      select id, project_id, app_now() from written`);
}

it("ends no more at one claim than it was to claim, however many have unsubscribed", async () => {
  const { ctx, key, domain } = await sender();
  const left = people(60);
  const { emailIds } = await sendingCampaign(ctx, { id: key.id, name: domain }, left, {});
  await database.db.execute(sql`
    update contacts set consent = 'unsubscribed' where project_id = ${ctx.projectId}`);
  expect(await claim(20)).toMatchObject({ emails: [], refused: 20 });
  const [urgent] = await send(ctx, { from: `shop@${domain}` });
  const { emails, refused } = await claim(20);
  expect([emails.map(({ id }) => id), refused]).toEqual([[urgent], 19]);
  expect(await claim(100)).toMatchObject({ emails: [], refused: 21 });
  const failed = await Promise.all(emailIds.map((id) => storedEmail(database.db, id)));
  expect(failed.every(({ status }) => status === "FAILED")).toBe(true);
});

it("comes round to every project, however many have mail that is due", async () => {
  await ofManyProjects(1_300);
  const projects: string[] = [];
  for (let turn = 0; turn < 13; turn++) {
    const { emails } = await claim(100);
    projects.push(...emails.map(({ projectId }) => projectId));
  }
  // Three windows of 500 projects: nobody has had a second turn before all had their first.
  expect([projects.length, new Set(projects).size]).toEqual([1_300, 1_300]);
  expect((await claim(100)).emails).toEqual([]);
  await ofManyProjects(1_200);
  expect((await claim(2_000)).emails).toHaveLength(1_200);
});

it("does not look at what is due later: scheduled mail and later tries sleep until their time", async () => {
  const { ctx, domain } = await sender();
  const at = async (seconds: number) => {
    const [row] = await database.db.execute<{ at: string }>(sql`
      select app_now() + make_interval(secs => ${seconds}) as at`);
    return new Date(row?.at ?? "").toISOString();
  };
  const from = `shop@${domain}`;
  const asleep = async () => {
    const rows = await database.db.execute<{ id: string }>(sql`
      select email_id as id from email_queue where project_id = ${ctx.projectId} and asleep
      order by due_at`);
    return rows.map(({ id }) => id);
  };
  const [now = "", soon = "", cancelled = "", later = ""] = [
    ...(await send(ctx, { from })),
    ...(await send(ctx, { from, scheduledAt: await at(60) })),
    ...(await send(ctx, { from, scheduledAt: await at(70) })),
    ...(await send(ctx, { from, scheduledAt: await at(600) })),
  ];
  expect(await asleep()).toEqual([soon, cancelled, later]);
  await cancelEmail(ctx, encodeId("email", cancelled));
  await rescheduleEmail(ctx, encodeId("email", later), { scheduledAt: await at(120) });
  expect(await asleep()).toEqual([soon, later]);
  const taken = async () => (await claim(10)).emails.map(({ id }) => id);
  expect([await wakeSleepers(database.db), await taken()]).toEqual([false, [now]]);
  await database.travel("61 seconds");
  expect(await taken()).not.toContain(soon);
  await wakeSleepers(database.db);
  expect(await taken()).toContain(soon);
  expect(await asleep()).toEqual([later]);
  const server = await mailServer();
  await database.travel("61 seconds");
  await dispatch(server.url);
  expect((await storedEmail(database.db, later)).status).toBe("SENT");
  expect(await asleep()).toEqual([]);
});

it("keeps a share for campaigns when that is asked for, and gives the rest to other mail", async () => {
  const { ctx, key, domain } = await sender();
  await sendingCampaign(ctx, { id: key.id, name: domain }, people(10), {});
  await send(ctx, { from: `shop@${domain}`, to: people(30).map(({ email }) => email) });
  const ofCampaigns = async (kept: number) => {
    const { emails, leftRoom } = await claim(16, kept);
    return [emails.filter(({ campaignId }) => campaignId !== null).length, emails.length, leftRoom];
  };
  expect(await ofCampaigns(0)).toEqual([0, 16, false]);
  expect(await ofCampaigns(2)).toEqual([2, 16, false]);
  expect(await ofCampaigns(2)).toEqual([8, 8, true]);
});

it("a flood of one tenant's mail does not keep another's campaign from being sent", async () => {
  const [flooding, other] = [await sender(), await sender()];
  const server = await mailServer({
    onData(stream, session, callback) {
      stream.resume();
      stream.on("end", () => {
        server.mails.push({
          from: "",
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.alloc(0),
          session,
        });
        setTimeout(callback, 20);
      });
    },
  });
  await sendingCampaign(other.ctx, { id: other.key.id, name: other.domain }, people(3), {
    html: "<p>News</p>",
  });
  for (let request = 0; request < 12; request++) {
    const to = Array.from({ length: 100 }, (_, n) => `f${request}-${n}@example.org`);
    await send(flooding.ctx, { from: `shop@${flooding.domain}`, to });
  }
  const stop = new AbortController();
  const running = new Dispatcher({
    db: database.db,
    transport: smtpTransport(`${server.url}?connections=2`),
  }).run(stop.signal);
  const arrived = () => server.mails.filter(({ to }) => to[0]?.startsWith("c")).length;
  await until(() => arrived() === 3, { seconds: 30 });
  expect(server.mails.length).toBeLessThan(1_200);
  stop.abort();
  await running;
}, 60_000);
