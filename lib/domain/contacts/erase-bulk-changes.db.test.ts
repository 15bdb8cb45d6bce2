import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { updateContact } from "./contacts";
import { deleteContact } from "./delete";
import { upsertContact } from "./upsert";

const database = useTestDatabase();
const former = "ada@example.com";
const email = "lovelace@example.com";

test("changes to many that were chosen by a person's address say so no more", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const { contact } = await upsertContact(ctx, { email: former });
  await updateContact(ctx, contact.id, { email });
  const searches = [
    "LOVELACE@example.com",
    "lace@exam",
    former,
    "@example.com",
    "grace@example.com",
  ];
  await database.db.execute(sql`
    insert into bulk_changes (id, project_id, action, name, filter, stage, finished_at)
    select new_id(${projectId}::uuid), ${projectId}, 'tag', search, jsonb_build_object('search', search, 'tag', 'vip'),
      'clear', app_now()
    from unnest(${sql.param(searches)}::text[]) search`);
  // One from before it was written down whom a change is about chooses by its filter when it begins.
  await database.db.execute(sql`
    insert into bulk_changes (id, project_id, action, name, filter, stage)
    values (new_id(${projectId}::uuid), ${projectId}, 'tag', 'waits', ${JSON.stringify({ search: email })}, 'clear')`);
  await deleteContact(ctx, email);
  const rows = await database.db.execute<{ filter: object }>(
    sql`select filter from bulk_changes where project_id = ${projectId} order by id`,
  );
  expect(rows.map(({ filter }) => filter)).toEqual([
    ...[{ tag: "vip" }, { tag: "vip" }, { tag: "vip" }],
    ...[
      { tag: "vip", search: "@example.com" },
      { tag: "vip", search: "grace@example.com" },
    ],
    { search: email },
  ]);
});
