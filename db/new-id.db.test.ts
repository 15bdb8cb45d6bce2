import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { newId, newProjectId } from "@/lib/ground/ids/ids";
import { useTestDatabase } from "./testing";
import { newIdOf } from "./names";

const database = useTestDatabase();

const fromDatabase = async (projectId: string, count = 1): Promise<string[]> => {
  const rows = await database.db.execute<{ id: string }>(
    sql`select ${newIdOf(sql`${projectId}::uuid`)} as id from generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => id);
};

test("an id of the database is a UUIDv7 of now with its project's last twelve bits, and differs", async () => {
  const projectId = newProjectId();
  const ids = await fromDatabase(projectId, 5_000);
  expect(new Set(ids).size).toBe(5_000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(id.slice(15, 18)).toBe(projectId.slice(-3));
    expect(Math.abs(parseInt(id.replace("-", "").slice(0, 12), 16) - Date.now())).toBeLessThan(
      60_000,
    );
  }
});

test("what is made in turns by a program and by the database is in that order", async () => {
  const projectId = newProjectId();
  const ids: string[] = [];
  for (let turn = 0; turn < 300; turn++) {
    ids.push(newId(projectId), ...(await fromDatabase(projectId)));
  }
  expect(ids.toSorted()).toEqual(ids);
});
