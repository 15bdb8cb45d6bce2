import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getEmail } from "@/lib/domain/emails/read";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { makeCampaign } from "@/lib/testing/campaigns";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { travelTo } from "@/lib/testing/travel-to";
import { cleanUp } from "./cleanup";
import { expireEventMonths } from "./event-months";

const database = useTestDatabase();
const from = "shop@sandbox.test";
const clean = () => cleanUp(database.db, AbortSignal.timeout(60_000));
const dispatch = () => dispatchDue({ db: database.db, transport: null });

/** What a project still has of its messages, oldest first. */
async function contents(projectId: string) {
  const rows = await database.db.execute<Record<string, unknown>>(sql`
    select subject, html is not null and data is not null as content, content_deleted_at is not null as gone,
      (select count(*)::int from message_attachments where message_id = m.id) as files
    from messages m where project_id = ${projectId} order by created_at`);
  return [...rows];
}

it("contents go after their days with variables and files; records, subjects and what waits stay", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const other = await makeProject(database.db);
  await updateProjectSettings(ctx, { retention: { contents: 1 } });
  const input = { from, body: "<p>{{ code }}</p>", data: { code: "1234" } };
  const attachments = [{ filename: "a.txt", content: "QQ==", contentType: "text/plain" }];
  const [id = ""] = await send(ctx, { ...input, subject: "Code {{ code }}", attachments });
  await dispatch();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await send(ctx, { ...input, subject: "Later", scheduledAt: inDays(5), attachments });
  await send(other.ctx, { ...input, subject: "Kept" });
  await database.travel("2 days");
  await send(ctx, { ...input, subject: "New" });
  await dispatch();
  expect((await clean()).contents).toBe(1);
  const left = { content: true, gone: false };
  expect(await contents(projectId)).toEqual([
    { subject: "Code {{ code }}", content: false, gone: true, files: 0 },
    { subject: "Later", ...left, files: 1 },
    { subject: "New", ...left, files: 0 },
  ]);
  expect(await getEmail(ctx, encodeId("email", id))).toMatchObject({
    subject: "Code 1234",
    status: "DELIVERED",
  });
  expect(await contents(other.projectId)).toEqual([{ subject: "Kept", ...left, files: 0 }]);
  // What waited leaves whole, and loses its content afterwards.
  await database.travel("4 days");
  await dispatch();
  const [captured] = await database.db.execute<{ raw: string }>(sql`
    select convert_from(raw, 'UTF8') as raw from captured_emails where project_id = ${projectId}
    order by created_at desc, id desc limit 1`);
  expect(captured?.raw).toContain("<p>1234</p>");
  expect((await clean()).contents).toBe(2);
  expect((await clean()).contents).toBe(0);
});

it("what a campaign said stays, whatever the contents' days are", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await updateProjectSettings(ctx, { retention: { contents: 1 } });
  const campaignId = await makeCampaign(database.db, { projectId, fromEmail: from });
  await database.db.execute(sql`
    insert into messages (id, project_id, campaign_id, from_email, subject, html)
    values (new_id(${projectId}), ${projectId}, ${campaignId}, ${from}, 'News', '<p>News</p>')`);
  await database.travel("30 days");
  await clean();
  const [message] = await database.db.execute(sql`
    select html, content_deleted_at from messages where project_id = ${projectId}`);
  expect(message).toEqual({ html: "<p>News</p>", content_deleted_at: null });
});

const eventsOf = async (projectId: string) => {
  const [row] = await database.db.execute<{ n: number }>(sql`
    select count(*)::int as n from email_events where project_id = ${projectId}`);
  return row?.n;
};

it("events go only when their whole month is over, and a month stays while a project moves", async () => {
  // A database with nobody else in it: each project keeps events for a month.
  const { ctx, projectId } = await makeProject(database.db);
  const nextMonth = sql`date_trunc('month', app_now(), 'UTC') + interval '1 month'`;
  await travelTo(database, sql`${nextMonth} + interval '1 hour'`);
  await clean();
  await database.db.execute(sql`update projects set retention = '{"events": 30}'`);
  await send(ctx, { from });
  await dispatch();
  const written = await eventsOf(projectId);
  expect(written).toBeGreaterThan(1);
  const [month] = await database.db.execute<{ name: string }>(sql`
    select distinct tableoid::regclass::text as name from email_events where project_id = ${projectId}`);
  const isThere = async () => {
    const [row] = await database.db.execute<{ there: boolean }>(
      sql`select to_regclass(${month?.name ?? ""}) is not null as there`,
    );
    return row?.there;
  };
  await travelTo(database, sql`${nextMonth} + interval '29 days'`);
  await clean();
  expect(await eventsOf(projectId)).toBe(written);

  await database.travel("2 days");
  await database.db.execute(sql`
    insert into project_moves (project_id, move_id, state)
    values (gen_random_uuid(), gen_random_uuid(), 'arriving')`);
  await clean();
  expect(await isThere()).toBe(true);
  await database.db.execute(sql`delete from project_moves`);
  await clean();
  expect(await isThere()).toBe(false);
  expect(await eventsOf(projectId)).toBe(0);
});

it("events are found in every block of a month, and others' in it stay", async () => {
  const [short, long] = [await makeProject(database.db), await makeProject(database.db)];
  await updateProjectSettings(short.ctx, { retention: { events: 30 } });
  await database.db.execute(sql`
    insert into email_events (project_id, email_id, name, data)
    select case when n % 2 = 0 then ${short.projectId}::uuid else ${long.projectId}::uuid end,
      gen_random_uuid(), 'opened', jsonb_build_object('userAgent', repeat('x', 800))
    from generate_series(1, 4000) n`);
  await database.travel("65 days");
  // A month of some hundred blocks, in many steps.
  const signal = AbortSignal.timeout(60_000);
  expect(await expireEventMonths(database.db, signal, { blocks: 7 })).toBe(2_000);
  expect(await eventsOf(short.projectId)).toBe(0);
  expect(await eventsOf(long.projectId)).toBe(2_000);
  expect((await clean()).events).toBe(0);
});
