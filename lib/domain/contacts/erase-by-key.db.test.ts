import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { makeProject } from "@/lib/testing";
import { deleteContact } from "./delete";
import { upsertContact } from "./upsert";

const database = useTestDatabase();
const tables = ["captured_emails", "person_requests", "contact_import_rows", "audit_log"];

test("a person is erased by their key from what quotes them, however much the project has of others", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const project = sql`${projectId}::uuid`;
  for (const email of ["ada@example.com", "grace@example.com"]) await upsertContact(ctx, { email });
  await database.db.execute(sql`
    insert into captured_emails (id, project_id, envelope_from, envelope_to, raw)
    select new_id(${project}), ${project}, 'us@example.com', address, 'raw'::bytea
    from (select 'p' || n || '@example.org' as address from generate_series(1, 5000) n
      union all select 'Ada@example.com') addresses`);
  await database.db.execute(sql`
    insert into person_requests (id, project_id, contact_id, kind, email, previous_email)
    select new_id(${project}), ${project}, contacts.id, 'address', next, previous
    from contacts cross join (
      select 'p' || n || '@example.org' as next, 'q' || n || '@example.org' as previous
      from generate_series(1, 5000) n
      union all values ('ADA@example.com', null), ('p0@example.org', 'ada@example.com')) addresses
    where contacts.email = 'grace@example.com'`);
  await database.db.execute(sql`
    with file as (
      insert into contact_imports (id, project_id, status)
      values (new_id(${project}), ${project}, 'COMPLETED') returning id
    ) insert into contact_import_rows (import_id, line, email, refusal)
    select file.id, n, case n when 17 then 'ada@Example.com' else 'p' || n || '@example.org' end, 'No.'
    from file cross join generate_series(1, 5000) n`);
  await database.db.execute(sql`
    insert into audit_log (id, project_id, actor_type, action, details, request_id)
    select new_id(${project}), ${project}, 'system', 'delete.suppression',
      jsonb_build_object('contact', false, 'email', address), 'one'
    from (select 'p' || n || '@example.org' as address from generate_series(1, 5000) n
      union all select 'adA@example.com') addresses`);
  await database.db.execute(
    sql`analyze captured_emails, person_requests, contact_import_rows, audit_log`,
  );
  const db = connect(database.url, { max: 1 });
  try {
    const work = () => deleteContact({ ...ctx, db }, "ada@example.com");
    expect(await rowsRead(db, tables, work)).toBeLessThan(100);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
  const left = await database.db.execute(sql`
    select (select count(*)::int from captured_emails where lower(envelope_to) = 'ada@example.com') as captured,
      (select count(*)::int from person_requests
        where 'ada@example.com' in (lower(email), lower(previous_email))) as requests,
      (select count(*)::int from contact_import_rows where lower(email) = 'ada@example.com') as rows,
      (select count(*)::int from audit_log
        where lower(details ->> 'email') = 'ada@example.com') as audited,
      (select count(*)::int from audit_log where details ? 'email') as all_audited,
      (select count(*)::int from captured_emails) as all_captured,
      (select count(*)::int from person_requests) as all_requests,
      (select count(*)::int from contact_import_rows) as all_rows`);
  expect([...left]).toEqual([
    {
      ...{ captured: 0, requests: 0, rows: 0, audited: 0 },
      ...{ all_captured: 5_000, all_requests: 5_000, all_rows: 4_999, all_audited: 5_000 },
    },
  ]);
});
