import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { makeProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { exportContacts } from "./export";

const database = useTestDatabase();

/** Contacts of which the first `gone` have bounced; and how to export those. */
async function bounced(db: ReturnType<typeof connect>, { all, gone }: Record<string, number>) {
  const { ctx, projectId } = await makeProject(db);
  await seedContacts(db, projectId, all ?? 0, { email: sql`'p' || n || '@example.com'` });
  await db.execute(sql`
    insert into suppressions (id, project_id, email, reason)
    select new_id(${projectId}), ${projectId}, email, 'hard_bounce'
    from contacts where project_id = ${projectId} order by id limit ${gone}`);
  await db.execute(sql`vacuum analyze contacts, suppressions`);
  const newestFirst = async () =>
    (
      await db.execute<{ email: string }>(sql`
        select email from (select id, email from contacts where project_id = ${projectId}
          order by id limit ${gone}) c order by id desc`)
    ).map(({ email }) => email);
  const exported = async () => {
    const stream = await exportContacts({ ...ctx, db }, { state: "hard_bounce" });
    const lines = (await new Response(stream).text()).trim().split(/\r?\n/).slice(1);
    return lines.map((line) => line.split(",", 1)[0]);
  };
  return { newestFirst, exported };
}

test.each([
  ["many", { all: 12_000, gone: 11_000 }, 70_000],
  ["a few of many", { all: 50_000, gone: 10 }, 70_000],
  ["some, all of them old", { all: 50_000, gone: 2_500 }, 180_000],
])(
  "an export by suppression looks at each contact a few times (%s)",
  async (_, size, most) => {
    const db = connect(database.url, { max: 1 });
    try {
      const { newestFirst, exported } = await bounced(db, size);
      const expected = await newestFirst();
      let found: unknown;
      const read = await rowsRead(db, ["contacts"], async () => {
        found = await exported();
      });
      expect(found).toEqual(expected);
      expect(read).toBeLessThan(most);
    } finally {
      await db.$client.end({ timeout: 5 });
    }
  },
  60_000,
);
