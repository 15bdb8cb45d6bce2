import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { afterEach, expect, test } from "vitest";
import type { Database } from "@/db/client";
import { apiKeys } from "@/db/schema";
import { listEvents } from "@/lib/domain/events/read";
import { eventQuery } from "@/lib/domain/events/schema";
import { createList } from "@/lib/domain/lists/lists";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { everyOperation } from "@/lib/doors/http/contract/every-operation";
import { createTrackingApp } from "@/lib/doors/http/public/app";
import { runJob } from "@/lib/engine/jobs/jobs";
import { systemContext, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { storedCampaign } from "@/lib/testing/campaigns";
import { startMailServer, type ReceivedMail } from "@/lib/testing/delivery";
import { until } from "@/lib/testing/until";
import { removeMoved } from "./leave";
import {
  copiesTo,
  countsOf,
  doubled,
  endPace,
  fencesOf,
  filledTables,
  keepSending,
  makeSender,
  startCampaign,
  startWorker,
  there,
  useMoveEnds,
} from "./testing/moves";

/* One project goes from one cluster to another while it is used. */

const ends = useMoveEnds();
const { source, move, atTarget } = ends;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Ends when it is called, and with the test at the latest. */
function stoppable(stop: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const once = () => (ended ??= stop());
  stops.push(once);
  return once;
}

const agent = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36" };

/** All events behind a cursor, and the cursor behind them. */
async function eventsAfter(ctx: Context, after?: string) {
  const ids: string[] = [];
  let cursor = after;
  for (let more = true; more;) {
    const page = await listEvents(ctx, eventQuery.parse({ limit: "100", after: cursor }));
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    more = page.hasMore;
  }
  return { ids, cursor };
}

/** The paths of a mail's first tracked link and of its one-click unsubscribing. */
async function linksOf({ raw }: Pick<ReceivedMail, "raw">) {
  const { html = "", headers } = await PostalMime.parse(raw);
  const path = (url: string | undefined) => new URL(url ?? "").pathname;
  const header = headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  return {
    click: path(/href="([^"]*\/t\/c\/[^"]*)"/.exec(html)?.[1]),
    unsubscribe: path(/<(http[^>]*\/t\/u\/[^>]*)>/.exec(header)?.[1]),
  };
}

const isSent = async (db: Database, campaign: string) =>
  (await storedCampaign(db, campaign)).status === "SENT";

test("a project moves while it sends: everybody gets one mail, links in mail from before work there, and nothing else changes", async () => {
  const people = 1_000;
  const server = await startMailServer();
  stops.push(() => server.stop());
  const sender = await makeSender(source.db, people, "moves.example");
  const { projectId } = sender;
  const other = await makeSender(source.db, 100, "stays.example");
  await createList(sender.ctx, { name: "Readers", fromEmail: sender.from });
  const everybody = await source.db.execute<{ id: string }>(sql`
    select id from contacts where project_id = ${projectId}`);
  const workers = [source.db, ends.target].map((db) => stoppable(startWorker(db, server.url)));
  // Slow enough that most of it is left when the project moves, on however slow a machine.
  const campaign = await startCampaign(sender, 7_200);
  const otherCampaign = await startCampaign(other, 7_200);
  const sending = keepSending(sender, "customers.example");
  const otherSending = keepSending(other, "others.example");
  const sendings = [sending, otherSending].map(({ stop }) => stoppable(stop));
  await until(() => copiesTo(server, "moves.example").size >= 10, {
    what: "the first of it",
    seconds: 60,
  });
  const seen = await eventsAfter(sender.ctx);

  const moved = await move(projectId);
  const begun = copiesTo(server, "moves.example").size;
  expect(moved?.closedSeconds).toBeGreaterThan(0);
  expect(begun).toBeLessThan(people);
  await until(() => sending.refused.some(({ message }) => message.includes(there)), {
    what: "to be told where it is",
    seconds: 30,
  });
  for (const stop of sendings) await stop();
  await endPace(ends.target, projectId);
  await endPace(source.db, other.projectId);
  for (const [db, id] of [
    [ends.target, campaign],
    [source.db, otherCampaign],
  ] as const) {
    await until(() => isSent(db, id), {
      what: "the campaign's end",
      seconds: 120,
      everyMilliseconds: 200,
    });
  }
  await until(() => copiesTo(server, "customers.example").size >= sending.acknowledged.length, {
    what: "all that was acknowledged",
    seconds: 60,
  });
  for (const stop of workers) await stop();

  // Everybody once, and what was acknowledged, whichever of the two sent it.
  const readers = copiesTo(server, "moves.example");
  expect([readers.size, doubled(readers)]).toEqual([people, []]);
  const urgents = copiesTo(server, "customers.example");
  expect(new Set(urgents.keys())).toEqual(new Set(sending.acknowledged));
  expect(doubled(urgents)).toEqual([]);
  expect(await storedCampaign(ends.target, campaign)).toMatchObject({
    people,
    by_status: { SENT: people },
    figures: { settled: people, sent: people },
  });
  expect(
    sending.refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null),
  ).toEqual([]);

  // Nothing of the other project was refused, doubled or lost.
  const others = ["stays.example", "others.example"].map((host) => copiesTo(server, host));
  expect(otherSending.refused).toEqual([]);
  expect(others.map(({ size }) => size)).toEqual([100, otherSending.acknowledged.length]);
  expect(others.flatMap(doubled)).toEqual([]);
  expect(await filledTables(ends.target, other.projectId)).toEqual([]);

  // The same people under the same ids.
  const arrived = await ends.target.execute<{ id: string }>(sql`
    select id from contacts where project_id = ${projectId} and email like '%@moves.example'`);
  expect(new Set(arrived.map(({ id }) => id))).toEqual(new Set(everybody.map(({ id }) => id)));

  // Links of the first mails, which the source sent.
  const [first, second] = server.mails.filter(({ to: [to = ""] }) => to.endsWith("@moves.example"));
  if (!first || !second) throw new Error("The server has no mail of the campaign.");
  const [one, two] = [await linksOf(first), await linksOf(second)];
  const away = await createTrackingApp().request(`${one.click}?a=1`, { headers: agent });
  expect([away.status, away.headers.get("location")]).toEqual([307, `${there}${one.click}?a=1`]);
  await atTarget(async () => {
    const app = createTrackingApp();
    const click = await app.request(one.click, { headers: agent });
    expect([click.status, click.headers.get("location")]).toEqual([
      302,
      "https://shop.example/tea",
    ]);
    const left = await app.request(two.unsubscribe, { method: "POST", headers: agent });
    expect(left.status).toBe(200);
    const answer = await bearerClient(sender.apiKey)("GET", "/v1/contacts?limit=1");
    expect(answer.status).toBe(200);
  });
  const [address = ""] = second.to;
  const [contact] = await ends.target.execute<{ consent: string }>(sql`
    select consent from contacts where project_id = ${projectId} and email = ${address}`);
  expect(contact).toEqual({ consent: "unsubscribed" });
  const [clicks] = await ends.target.execute(sql`
    select count(*)::int as clicked from emails where project_id = ${projectId} and clicks > 0`);
  expect(clicks).toEqual({ clicked: 1 });

  // A cursor from here goes on there: each event once.
  const told = await ends.target.execute<{ id: string }>(sql`
    select id from email_events where project_id = ${projectId} and position is not null
    union all select id from project_events where project_id = ${projectId}`);
  // The newest are shown once whatever else has begun a transaction, such as Postgres' own upkeep, has ended it.
  const rest = await until(
    async () => {
      const after = await eventsAfter(systemContext(ends.target, projectId), seen.cursor);
      return seen.ids.length + after.ids.length >= told.length && after;
    },
    { what: "all events", seconds: 30, everyMilliseconds: 200 },
  );
  expect([...seen.ids, ...rest.ids].toSorted()).toEqual(
    told.map(({ id }) => encodeId("event", id)).toSorted(),
  );

  // What is left here goes as a deleted project does, and nothing of the target with it.
  const before = await countsOf(ends.target, projectId);
  expect(await fencesOf(source.db, projectId)).toBeGreaterThan(100);
  await removeMoved(source.url, projectId);
  await removeMoved(source.url, projectId);
  const deletions = () =>
    runJob("deletions", { db: source.db, signal: AbortSignal.timeout(60_000) });
  await deletions();
  await source.travel("11 seconds");
  await deletions();
  expect(await filledTables(source.db, projectId)).toEqual([]);
  expect(await countsOf(ends.target, projectId)).toEqual(before);
  expect(await fencesOf(source.db, projectId)).toBe(0);
  expect([...(await source.db.execute(sql`select 1 from project_moves`))]).toEqual([]);
}, 400_000);

test("what every operation has written arrives row for row, and people whom the target knows keep their id there", async () => {
  const project = await makeProject(source.db);
  await source.db
    .update(apiKeys)
    .set({ sendsPerMinute: 1_000_000, requestsPerTenSeconds: 1_000_000 })
    .where(eq(apiKeys.projectId, project.projectId));
  await everyOperation(project.ctx, project.apiKey);
  await createList(project.ctx, { name: "Readers", fromEmail: "news@sandbox.test" });
  const [user] = await source.db.execute<{ email: string }>(sql`
    select email from users where id = ${project.userId}`);
  const known = await findOrCreateUser(ends.target, { email: user?.email.toUpperCase() ?? "" });
  const before = await countsOf(source.db, project.projectId);
  expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(20);
  await move(project.projectId);
  expect(await countsOf(ends.target, project.projectId)).toEqual(before);
  const [members] = await ends.target.execute<{ ids: string[] }>(sql`
    select array_agg(user_id) as ids from memberships where project_id = ${project.projectId}`);
  expect(members?.ids).toContain(known.id);
  expect(members?.ids).not.toContain(project.userId);
  const [actors] = await ends.target.execute<{ unknown: number; ours: number }>(sql`
    select count(*) filter (where actor_id = ${project.userId})::int as unknown,
      count(*) filter (where actor_id = ${known.id})::int as ours
    from audit_log where project_id = ${project.projectId}`);
  expect(actors?.unknown).toBe(0);
  expect(actors?.ours).toBeGreaterThan(0);
}, 300_000);

test("events of a month that the target does not have bring it along", async () => {
  const { projectId } = await makeProject(source.db);
  await source.db.execute(sql`
    create table email_events_202001 (like email_events including defaults including constraints)`);
  await source.db.execute(sql`
    alter table email_events attach partition email_events_202001
    for values from ('2020-01-01 00:00:00+00') to ('2020-02-01 00:00:00+00')`);
  await source.db.execute(sql`
    insert into email_events (project_id, email_id, name, created_at)
    values (${projectId}, gen_random_uuid(), 'email.sent', '2020-01-15')`);
  await move(projectId);
  const events = await ends.target.execute(sql`
    select tableoid::regclass::text as month, name from email_events where project_id = ${projectId}`);
  expect([...events]).toEqual([{ month: "email_events_202001", name: "email.sent" }]);
}, 100_000);
