import { inArray, sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { campaigns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { countDueSurveys, readSurvey } from "@/lib/domain/contact-fields/survey";
import { learnReceivers } from "@/lib/domain/receivers/learn";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { cleanUp } from "./cleanup";
import { deleteProjects } from "./delete-projects";

/* Work that fails every time keeps no other from being done. */

const database = useTestDatabase();
const signal = () => AbortSignal.timeout(20_000);

afterEach(async () => {
  await database.db.execute(sql`drop trigger if exists broken on contact_surveys`);
  await database.db.execute(sql`drop trigger if exists broken on domains`);
  await database.db.execute(sql`drop trigger if exists broken on campaigns`);
  await database.db.execute(sql`drop trigger if exists broken on departure_totals`);
  await database.db.execute(sql`drop trigger if exists broken on idempotency_keys`);
});

/** `moment`: what a trigger is for, as `before update on contacts`; `condition`: about the row. */
async function breakAt(moment: string, condition: string): Promise<void> {
  await database.db.execute(
    sql.raw(`
    create or replace function break_it() returns trigger language plpgsql as $$
      begin raise exception 'broken' using errcode = 'XX000'; end $$;
    create trigger broken ${moment} for each row when (${condition}) execute function break_it();`),
  );
}

it("a project whose contacts cannot be counted waits, and the next one is counted", async () => {
  const { ctx: broken } = await makeProject(database.db);
  const { ctx: other } = await makeProject(database.db);
  for (const { projectId } of [broken, other]) await readSurvey(database.db, projectId);
  await database.db.execute(sql`
    update contact_surveys set due_at = app_now() - interval '1 minute',
      counted_at = app_now() - interval '1 hour'`);
  await database.db.execute(sql`
    update contact_surveys set due_at = app_now() - interval '2 minutes'
    where project_id = ${broken.projectId}`);
  await breakAt(
    "before update on contact_surveys",
    `new.project_id = '${broken.projectId}' and new.counted_at is distinct from old.counted_at`,
  );
  await countDueSurveys(database.db, signal());
  const rows = await database.db.execute(sql`
    select project_id, due_at > app_now() as later, counted_at > app_now() - interval '1 minute' as fresh
    from contact_surveys order by project_id = ${other.projectId}`);
  expect(rows).toMatchObject([
    { project_id: broken.projectId, later: true, fresh: false },
    { project_id: other.projectId, later: null, fresh: true },
  ]);
});

it("a campaign whose receivers cannot be looked up keeps no other campaign's from it", async () => {
  const rows: string[] = [];
  for (const hours of [2, 1]) {
    const { projectId } = await makeProject(database.db);
    const [row] = await database.db
      .insert(campaigns)
      .values({
        id: newId(projectId),
        projectId,
        name: "News",
        status: "SENDING",
        audienceDoneAt: sql`app_now() - make_interval(hours => ${hours}::int)`,
      })
      .returning({ id: campaigns.id });
    rows.push(row?.id ?? "");
  }
  const [broken = "", other = ""] = rows;
  await breakAt("before update on campaigns", `new.id = '${broken}'`);
  await learnReceivers(database.db, signal());
  const read = await database.db
    .select({ id: campaigns.id, read: sql<boolean>`${campaigns.receiversReadAt} is not null` })
    .from(campaigns)
    .where(inArray(campaigns.id, rows));
  expect(Object.fromEntries(read.map((row) => [row.id, row.read]))).toEqual({
    [broken]: false,
    [other]: true,
  });
});

it("a deleted project that cannot be emptied keeps no other's content", async () => {
  const { ctx: broken } = await makeProject(database.db);
  const { ctx: other } = await makeProject(database.db);
  for (const [{ projectId }, minutes] of [[broken, 3] as const, [other, 2] as const]) {
    await database.db.execute(sql`
      insert into domains (id, project_id, name, status, selector, dkim_public_key, dkim_private_key_sealed)
      select new_id(${projectId}::uuid), ${projectId}::uuid, 'example.com', 'PENDING', 's', '', ''`);
    await database.db.execute(sql`
      insert into project_deletions (project_id, asked_at)
      values (${projectId}, app_now() - make_interval(mins => ${minutes}::int))`);
  }
  await breakAt("before delete on domains", `old.project_id = '${broken.projectId}'`);
  await deleteProjects(database.db, signal());
  const left = await database.db.execute(sql`
    select distinct project_id from domains where project_id in (${broken.projectId}, ${other.projectId})`);
  expect(left).toMatchObject([{ project_id: broken.projectId }]);
});

it("a part of the clean-up that fails keeps the others from nothing, and the run counts as failed", async () => {
  const { projectId } = await makeProject(database.db);
  await database.db.execute(sql`
    insert into idempotency_keys (project_id, route, key, body_hash, response, created_at)
    values (${projectId}, 'send', 'old', '', '{}', app_now() - interval '2 days')`);
  await database.db.execute(sql`
    insert into rate_limits (subject, resets_at, used) values ('old', app_now() - interval '1 hour', 1)`);
  await breakAt("before delete on idempotency_keys", "true");
  await expect(cleanUp(database.db, signal())).rejects.toThrow("idempotency_keys");
  const [left] = await database.db.execute(sql`
    select (select count(*)::int from idempotency_keys) as keys,
      (select count(*)::int from rate_limits) as limits`);
  expect(left).toEqual({ keys: 1, limits: 0 });
});

it("departures of a project that cannot be added up keep no other project's from it", async () => {
  const projects = [await makeProject(database.db), await makeProject(database.db)];
  // In the order in which they are looked at.
  const [broken = "", other = ""] = projects.map(({ projectId }) => projectId).toSorted();
  for (const projectId of [broken, other]) {
    await database.db.execute(sql`
      insert into departure_figures (project_id, day, scope, origin, slot, people)
      values (${projectId}, date_trunc('day', app_now(), 'UTC') - interval '72 hours', 'everything', 'link', 0, 1)`);
  }
  await breakAt("before insert on departure_totals", `new.project_id = '${broken}'`);
  await expect(cleanUp(database.db, signal())).rejects.toThrow("departures");
  const added = await database.db.execute(sql`select distinct project_id from departure_totals`);
  expect(added).toMatchObject([{ project_id: other }]);
});
