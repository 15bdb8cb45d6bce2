import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedProject } from "@/bin/seed/project";
import { root } from "@/bin/start/root";
import { projectTables } from "@/db/project-tables";
import { useTestDatabase } from "@/db/testing";
import { createConnection } from "@/lib/domain/connections/connections";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createGoal } from "@/lib/domain/goals/goals";
import { createSavedView } from "@/lib/domain/saved-views/saved-views";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { inviteMember } from "@/lib/domain/members/invitations";
import { tellPresence } from "@/lib/domain/presence/presence";
import { createSavedBlock } from "@/lib/domain/saved-blocks/saved-blocks";
import { createTemplate } from "@/lib/domain/templates/templates";
import { createTopic } from "@/lib/domain/topics/topics";
import { everyOperation } from "@/lib/doors/http/contract/every-operation";
import { makeProject } from "@/lib/testing";

/*
 * Ids that know where they live: what a project owns has 12 bits of its project's id in its own, whichever
 * way it came to be.
 */

const database = useTestDatabase();

interface Owned extends Record<string, unknown> {
  name: string;
  rows: number;
  elsewhere: number;
}

/** Each table with an id and a project, and how many of its ids do not say which. */
async function ownedTables(): Promise<Owned[]> {
  const tables = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and (select count(*) from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.atttypid = 'uuid'::regtype and a.attname in ('id', 'project_id')) = 2
    order by 1`);
  return Promise.all(
    tables.map(async ({ name }) => {
      const [counted] = await database.db.execute<Omit<Owned, "name">>(sql`
        select count(*)::int as rows,
          count(*) filter (where substring(id::text from 16 for 3) <> right(project_id::text, 3))::int as elsewhere
        from ${sql.identifier(name)}`);
      return { name, rows: 0, elsewhere: 0, ...counted };
    }),
  );
}

test("the ids of all that a project owns say so", async () => {
  const { ctx, apiKey } = await makeProject(database.db);
  await database.db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000`);
  await createWebhook(ctx, { url: "https://example.com/hook", events: ["*"] });
  await upsertContact(ctx, { email: "reader@sandbox.test" });
  await everyOperation(ctx, apiKey);
  await createTopic(ctx, { name: "News" });
  await inviteMember(
    { ...ctx, session: { id: ctx.projectId, onlyProject: false } },
    { email: "grace@example.com", role: "editor" },
  );
  await createSavedBlock(ctx, { name: "Line", content: [{ type: "divider" }] });
  const news = { name: "News", subject: "News", body: "<p>News</p>" };
  await tellPresence(ctx, "template", (await createTemplate(ctx, news)).id, { tab: "a" });
  await ctx.db.transaction((tx) =>
    noteTeamLetter(tx, ctx.projectId, "domainFailed", { name: "example.com" }),
  );
  await createGoal(ctx, { figure: "sent", period: "week", target: 100 });
  await createSavedView(ctx, { page: "emails", name: "Bounced", query: { status: "BOUNCED" } });
  await createConnection(ctx, { name: "Ours", kind: "smtp", host: "smtp.example.com" });
  await seedProject(database.db, { project: "Tea", contacts: 200, emails: 900 });

  const tables = await ownedTables();
  expect(tables.filter(({ elsewhere }) => elsewhere > 0)).toEqual([]);
  const empty = tables.filter(({ rows }) => rows === 0).map(({ name }) => name);
  // Written by what receivers report, and by what recipients do on their pages.
  expect(empty).toEqual(["domain_reports", "form_sign_ups", "person_requests"]);

  // Ids that a database counts are other rows' in another one.
  const counted = await database.db.execute(sql`
    select sequencename::text from pg_sequences
    where schemaname = 'public' and last_value is not null`);
  expect([...counted]).toEqual([]);
  const [rows] = await database.db.execute(sql`
    select exists (select from links) as links, exists (select from lists) as lists`);
  expect(rows).toEqual({ links: true, lists: true });
}, 120_000);

/** Tables without a column project_id, and why. */
const withoutProject: Record<string, string> = {
  bulk_change_chunks: "by change_id",
  contact_import_rows: "by import_id: rows of an import under way, gone with it",
  dmarc_rows: "by report_id",
  event_clock: "of the installation",
  event_marks: "of the installation",
  export_progress: "a user's, forgotten after a day",
  identity_visits: "a browser's, forgotten after ten minutes",
  inbound_replies: "by inbound_id",
  installation: "of the installation",
  job_runs: "of the installation",
  link_clicks: "by email_id",
  link_figures: "by link_id",
  list_figures: "by list_id",
  login_tokens: "a user's, whose projects may be several",
  oauth_clients: "a program's, before anybody lets it into a project",
  passkey_challenges: "a browser's, forgotten after five minutes",
  passkeys: "a user's, whose projects may be several",
  projects: "its id is it",
  rate_limits: "a key's or an address's, forgotten after a minute",
  receiving_domains: "what the DNS says, the same for all",
  recovery_codes: "a user's, whose projects may be several",
  second_factors: "a user's, whose projects may be several",
  ses_identities: "by domain_id; one that Amazon SES is to delete outlives domain and project",
  sessions: "a user's, whose projects may be several",
  template_versions: "by template_id",
  tls_report_rows: "by report_id",
  user_identities: "a user's, whose projects may be several",
  users: "a user's projects may be several",
  warmup_days: "by domain_id",
  warmup_hours: "by domain_id",
  warmup_receiver_hours: "by domain_id",
  warmup_receivers: "by domain_id",
  workers: "of the installation",
};

test("every table says which project its rows are of, or it is known why not", async () => {
  const tables = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname = 'project_id')
    order by 1`);
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(withoutProject));
});

/** About the project itself: they outlive what it holds, or stay behind when it moves. */
const aboutProjects = ["project_deletions", "project_move_changes", "project_moves"];

test("every table with rows of a project is one that deleting and moving it walk over, children first", async () => {
  const tables = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname = 'project_id')`);
  const byParent = Object.entries(withoutProject).flatMap(([name, why]) =>
    why.startsWith("by ") ? [name] : [],
  );
  const known = [...tables.map(({ name }) => name), ...byParent]
    .filter((name) => !aboutProjects.includes(name))
    .toSorted();
  const walked = projectTables.map(({ table }) => getTableName(table));
  expect(walked.toSorted()).toEqual(known);

  const keys = await database.db.execute<{ child: string; parent: string }>(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint where contype = 'f' and conrelid <> confrelid`);
  const wrong = keys.filter(
    ({ child, parent }) =>
      walked.includes(child) &&
      walked.includes(parent) &&
      walked.indexOf(child) > walked.indexOf(parent),
  );
  expect(wrong).toEqual([]);
});

test("no statement of the product makes an id without its project", () => {
  const files = execFileSync("git", ["ls-files", "app", "bin", "db", "lib"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^(db|lib|bin\/move)\/testing\//.test(file),
    );
  const without = files.filter((file) =>
    /\bnew_id\(\)/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(without).toEqual([]);
});
