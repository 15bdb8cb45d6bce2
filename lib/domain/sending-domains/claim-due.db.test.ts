import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { claimDue } from "./claim-due";
import { createDomain } from "./domains";

const database = useTestDatabase();

/** A project whose domains, so many of them, are due since some seconds ago. */
async function projectWith(many: number, seconds: number): Promise<Context> {
  const { ctx, projectId } = await makeProject(database.db);
  await createDomain(ctx, { name: "one.example.com" });
  await database.db.execute(sql`
    insert into domains select (jsonb_populate_record(d, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'n' || n || '.example.com'))).*
    from domains d, generate_series(2, ${many}::int) n
    where d.project_id = ${projectId} and not d.built_in`);
  await database.db
    .update(domains)
    .set({ nextCheckAt: sql`app_now() - make_interval(secs => ${seconds})` })
    .where(sql`${domains.projectId} = ${projectId} and not ${domains.builtIn}`);
  return ctx;
}

const projectsOf = async () => (await claimDue(database.db)).map(({ row }) => row.projectId);

test("a project with many domains that are due does not keep another's waiting", async () => {
  const many = await projectWith(25, 3600);
  const other = await projectWith(2, 1);
  const first = await projectsOf();
  expect(first).toHaveLength(10);
  expect(first.filter((id) => id === other.projectId)).toHaveLength(2);
  // Nobody else is waiting.
  expect(new Set(await projectsOf())).toEqual(new Set([many.projectId]));
  expect(await projectsOf()).toHaveLength(7);
  expect(await projectsOf()).toEqual([]);
});

test("workers that ask at the same time take each once", async () => {
  const { projectId } = await projectWith(25, 60);
  const taken: string[] = [];
  const take = async () => {
    for (let claimed = await claimDue(database.db); claimed.length > 0;) {
      taken.push(
        ...claimed.filter(({ row }) => row.projectId === projectId).map(({ row }) => row.id),
      );
      claimed = await claimDue(database.db);
    }
  };
  await Promise.all([take(), take(), take()]);
  // Whoever found nothing free just then has ended before the others.
  await take();
  expect(new Set(taken).size).toBe(taken.length);
  const mine = and(eq(domains.projectId, projectId), eq(domains.builtIn, false));
  expect(taken).toHaveLength(await database.db.$count(domains, mine));
});
