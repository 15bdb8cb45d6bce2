import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedProject } from "@/bin/seed/project";
import { useTestDatabase } from "@/db/testing";
import { tellPresence } from "@/lib/domain/presence/presence";
import { createGoal } from "@/lib/domain/goals/goals";
import { createSavedBlock } from "@/lib/domain/saved-blocks/saved-blocks";
import { createTemplate } from "@/lib/domain/templates/templates";
import { createTopic } from "@/lib/domain/topics/topics";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { everyOperation } from "@/lib/doors/http/contract/every-operation";
import { runJob } from "@/lib/engine/jobs/jobs";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { createTrackingApp } from "@/lib/doors/http/public/app";
import { makeProject, type TestProject } from "@/lib/testing";
import { dispatchDue } from "@/lib/testing/delivery";

/* A deleted project leaves nothing behind, whichever table it wrote to, and takes nothing of another one. */

const database = useTestDatabase();

/** Tables with rows of a project, by name. */
async function ownTables(): Promise<string[]> {
  const tables = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'project_deletions'
      and exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname = 'project_id') order by 1`);
  return tables.map(({ name }) => name);
}

/** Tables whose rows name what another table has: none may name what is gone. */
const named: readonly [table: string, column: string, parent: string][] = [
  ["campaign_versions", "campaign_id", "campaigns"],
  ["contact_import_rows", "import_id", "contact_imports"],
  ["dmarc_rows", "report_id", "domain_reports"],
  ["inbound_replies", "inbound_id", "inbound_emails"],
  ["link_clicks", "email_id", "emails"],
  ["link_figures", "link_id", "links"],
  ["template_versions", "template_id", "templates"],
  ["tls_report_rows", "report_id", "domain_reports"],
  ["warmup_days", "domain_id", "domains"],
  ["warmup_hours", "domain_id", "domains"],
  ["warmup_receiver_hours", "domain_id", "domains"],
  ["warmup_receivers", "domain_id", "domains"],
];

/** Every row of a project as text, by table. */
async function rowsOf(projectId: string): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const name of await ownTables()) {
    const kept = await database.db.execute<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t
        where project_id = ${projectId} order by 1`,
    );
    rows.set(
      name,
      kept.map(({ row }) => row),
    );
  }
  return rows;
}

/** A project that has used everything there is. */
async function makeUsedProject(): Promise<TestProject> {
  const project = await makeProject(database.db);
  const { ctx, apiKey } = project;
  await database.db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000`);
  await createWebhook(ctx, { url: "https://example.com/hook", events: ["*"] });
  await upsertContact(ctx, { email: "reader@sandbox.test" });
  await everyOperation(ctx, apiKey);
  await createTopic(ctx, { name: "News" });
  await createSavedBlock(ctx, { name: "Line", content: [{ type: "divider" }] });
  await createGoal(ctx, { figure: "sent", period: "week", target: 100 });
  const news = { name: "News", subject: "News", body: "<p>News</p>" };
  await tellPresence(ctx, "template", (await createTemplate(ctx, news)).id, { tab: "a" });
  return project;
}

const deletions = () =>
  runJob("deletions", { db: database.db, signal: AbortSignal.timeout(60_000) });

test("a deleted project leaves no row behind, and another one keeps each of its own", async () => {
  const [gone, stays] = [await makeUsedProject(), await makeUsedProject()];
  await seedProject(database.db, { project: "Tea", contacts: 200, emails: 900 });
  const [tea] = await database.db.execute<{ id: string }>(sql`
    select id from projects where name = 'Tea'`);
  const teaId = tea?.id ?? "";
  await dispatchDue({ db: database.db, transport: null });
  const [mail] = await database.db.execute<{ id: string }>(sql`
    select id from emails where project_id = ${teaId} limit 1`);
  const before = await rowsOf(stays.projectId);
  const three = [gone.projectId, stays.projectId, teaId];
  const standing = async () => {
    const rows = await database.db.execute<{ id: string }>(sql`select id from projects`);
    return new Set(rows.map(({ id }) => id).filter((id) => three.includes(id)));
  };

  await database.db.execute(sql`
    insert into project_deletions (project_id) values (${gone.projectId}), (${teaId})`);
  await database.db.execute(sql`update email_queue set lease_until = null, lease_id = null`);
  await deletions();
  // The projects' own rows wait until requests that were under way have ended.
  expect(await standing()).toEqual(new Set(three));
  await database.travel("11 seconds");
  await deletions();
  expect(await standing()).toEqual(new Set([stays.projectId]));
  for (const projectId of [gone.projectId, teaId]) {
    const left = [...(await rowsOf(projectId))].filter(([, rows]) => rows.length > 0);
    expect(left).toEqual([]);
  }
  for (const [table, column, parent] of named) {
    const [count] = await database.db.execute(sql`
      select count(*)::int as orphans from ${sql.identifier(table)} t where not exists (
        select from ${sql.identifier(parent)} p where p.id = t.${sql.identifier(column)})`);
    expect({ table, ...count }).toEqual({ table, orphans: 0 });
  }
  expect(await rowsOf(stays.projectId)).toEqual(before);

  // Links in mail of a project that is gone: an answer in words, whoever presses.
  const app = createTrackingApp();
  const token = recipientToken(mail?.id ?? "");
  const page = await app.request(`/preferences/${token}`);
  expect([page.status, await page.text()]).toEqual([
    410,
    expect.stringContaining("no longer kept"),
  ]);
  const press = await app.request(`/t/u/${token}`, { method: "POST" });
  expect(press.status).toBe(410);
  const forged = await app.request(`/preferences/${token.slice(0, -2)}AA`);
  expect(forged.status).toBe(404);

  // What came in late is looked for once more, and nothing remembers the project then.
  await database.db.execute(sql`
    insert into project_events (project_id, id, event, data)
    values (${teaId}, ${teaId}, 'contact.created', '{}')`);
  await database.travel("61 minutes");
  await deletions();
  const late = [...(await rowsOf(teaId))].filter(([, rows]) => rows.length > 0);
  expect(late).toEqual([]);
  expect([...(await database.db.execute(sql`select 1 from project_deletions`))]).toEqual([]);
}, 180_000);
