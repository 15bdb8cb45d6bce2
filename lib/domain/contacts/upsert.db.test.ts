import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, contacts } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { newId } from "@/lib/ground/ids/ids";
import { upsertContact } from "./upsert";

const database = useTestDatabase();

async function actsIn(projectId: string): Promise<string[]> {
  const rows = await database.db
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(eq(auditLog.projectId, projectId))
    .orderBy(asc(auditLog.id));
  return rows.map(({ action }) => action).filter((action) => action.endsWith(".contact"));
}

test("requests that arrive together each get their own contact, of their own project, with its own act", async () => {
  const projects = [await makeProject(database.db), await makeProject(database.db)];
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => n).flatMap((n) =>
      projects.map(({ ctx }) => upsertContact(ctx, { email: `p${n}@example.com` })),
    ),
  );
  expect(answers.map(({ contact }) => contact.email)).toEqual(
    Array.from({ length: 200 }, (_, index) => `p${Math.floor(index / 2)}@example.com`),
  );
  expect(answers.filter(({ created }) => !created)).toEqual([]);
  expect(new Set(answers.map(({ contact }) => contact.id)).size).toBe(200);
  for (const { ctx } of projects) {
    expect(await database.db.$count(contacts, eq(contacts.projectId, ctx.projectId))).toBe(100);
    expect(await actsIn(ctx.projectId)).toEqual(Array(100).fill("create.contact"));
  }
});

test("requests for one address that arrive together make it once, and change it in turn", async () => {
  const { ctx } = await makeProject(database.db);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      upsertContact(ctx, {
        email: n % 2 ? "ada@example.com" : "Ada@Example.com",
        data: { [n]: n },
      }),
    ),
  );
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  const { contact } = await upsertContact(ctx, { email: "ada@example.com" });
  expect(Object.keys(contact.data)).toHaveLength(50);
  // What each was answered held its own change.
  expect(answers.filter(({ contact: { data } }, n) => data[n] !== n)).toEqual([]);
});

test("a refused request leaves nothing behind and refuses none that arrived with it", async () => {
  const { ctx } = await makeProject(database.db);
  const email = "full@example.com";
  await upsertContact(ctx, { email, data: { first: "x".repeat(60_000) } });
  await upsertContact(ctx, { email: "left@example.com", unsubscribed: true });
  const session = { id: newId(), onlyProject: false };
  const before = await actsIn(ctx.projectId);
  const results = await Promise.allSettled([
    ...Array.from({ length: 20 }, (_, n) => upsertContact(ctx, { email: `p${n}@example.com` })),
    upsertContact(ctx, { email, data: { second: "x".repeat(10_000) } }),
    upsertContact({ ...ctx, session }, { email: "left@example.com", subscribed: true }),
  ]);
  expect(results.slice(0, 20).filter(({ status }) => status === "rejected")).toEqual([]);
  expect(results.slice(20)).toMatchObject([
    { status: "rejected", reason: { code: "VALIDATION_ERROR" } },
    { status: "rejected", reason: { code: "CONFLICT" } },
  ]);
  expect(await actsIn(ctx.projectId)).toEqual([...before, ...Array(20).fill("create.contact")]);
});
