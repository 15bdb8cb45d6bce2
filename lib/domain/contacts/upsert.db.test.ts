import { Readable } from "node:stream";
import { asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, contacts } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { getImport, startImport } from "@/lib/domain/imports/imports";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getContact, updateContact } from "./contacts";
import type { ContactInput } from "./schema";
import { upsertContact, upsertContacts } from "./upsert";

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
  const session = { id: newUnownedId(), onlyProject: false };
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

describe("upsert", () => {
  test("makes a subscribed contact, then changes only what is given, whatever the case", async () => {
    const { ctx } = await makeProject(database.db);
    const first = await upsertContact(ctx, {
      email: " Ada@Example.COM ",
      firstName: "Ada",
      tags: ["a", "b", "a"],
      data: { plan: "pro", seats: 3 },
    });
    expect(first.created).toBe(true);
    expect(first.contact).toMatchObject({
      email: "Ada@example.com",
      subscribed: true,
      tags: ["a", "b"],
    });
    const second = await upsertContact(ctx, {
      email: "ada@example.com",
      lastName: "Lovelace",
      data: { seats: null, city: "London" },
    });
    expect(second.created).toBe(false);
    expect(second.contact).toMatchObject({
      id: first.contact.id,
      firstName: "Ada",
      lastName: "Lovelace",
      subscribed: true,
      tags: ["a", "b"],
      data: { plan: "pro", city: "London" },
    });
  });

  test("keeps an unsubscription until the request speaks of it", async () => {
    const { ctx } = await makeProject(database.db);
    const email = "grace@example.com";
    await upsertContact(ctx, { email, unsubscribed: true });
    expect((await upsertContact(ctx, { email, firstName: "G" })).contact.subscribed).toBe(false);
    expect((await upsertContact(ctx, { email, unsubscribed: false })).contact.subscribed).toBe(
      true,
    );
    expect((await upsertContact(ctx, { email, subscribed: false })).contact.subscribed).toBe(false);
  });

  test.each<[string, Omit<ContactInput, "email">[]]>([
    ["unsubscribed", [{ subscribed: true }, { unsubscribed: true }]],
    ["subscribed", [{ unsubscribed: true }, { subscribed: true }]],
    ["unsubscribed", [{ unsubscribed: true }, { subscribed: true, resubscribe: false }]],
    ["subscribed", [{ subscribed: true }, { subscribed: true, resubscribe: false }]],
    ["subscribed", [{ subscribed: true, resubscribe: false }, { unsubscribed: false }]],
    ["unsubscribed", [{ subscribed: false }, {}]],
  ])(
    "many at once leave an address that comes twice %s after %j",
    async (expected, [first, second]) => {
      const { ctx } = await makeProject(database.db);
      const email = "ada@example.com";
      await upsertContact(ctx, { email, unsubscribed: true });
      await upsertContacts(ctx, [
        { email, ...first },
        { email, ...second },
      ]);
      expect((await getContact(ctx, email)).subscribed).toBe(expected === "subscribed");
    },
  );

  test("an address that comes twice in one call is spelled as it came first", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContacts(ctx, [{ email: "Ada@example.com" }, { email: "ada@example.com" }]);
    expect((await getContact(ctx, "ada@example.com")).email).toBe("Ada@example.com");
  });

  test("50 at once on one address end in one contact and no error", async () => {
    const { ctx } = await makeProject(database.db);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        upsertContact(ctx, { email: "one@example.com", data: { [`k${index}`]: index } }),
      ),
    );
    expect(new Set(answers.map(({ contact }) => contact.id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const contact = await getContact(ctx, "one@example.com");
    expect(Object.keys(contact.data)).toHaveLength(50);
  });

  test("20 bulk calls over the same 200 addresses in other orders do not deadlock", async () => {
    const { ctx } = await makeProject(database.db);
    const contacts = Array.from({ length: 200 }, (_, index) => ({
      email: `person${index}@example.com`,
    }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        upsertContacts(ctx, [...contacts.slice(turn * 10), ...contacts.slice(0, turn * 10)]),
      ),
    );
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(200);
    expect(answers.every(({ data }) => data.length === 200)).toBe(true);
  });

  test("a viewer may not", async () => {
    const { ctx } = await makeProject(database.db, { role: "viewer" });
    await expect(upsertContact(ctx, { email: "a@example.com" })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });
});

describe("64 kB of custom attributes", () => {
  const part = (n: number, size = 20_000) => ({ [`part${n}`]: "x".repeat(size) });
  const email = "big@example.com";
  const tooLarge = { code: "VALIDATION_ERROR", message: /larger than 64 kB/ };

  test("hold after merging, too, and what is refused changes nothing", async () => {
    const { ctx } = await makeProject(database.db);
    for (const n of [1, 2, 3]) await upsertContact(ctx, { email, data: part(n) });
    const refusals = [
      upsertContact(ctx, { email, data: part(4) }),
      updateContact(ctx, email, { data: part(4) }),
      upsertContacts(ctx, [{ email: "a@example.com" }, { email, data: part(4) }]),
    ];
    const reasons = await Promise.all(refusals.map((call) => call.catch((error: Error) => error)));
    for (const reason of reasons) {
      expect(reason).toMatchObject({
        ...tooLarge,
        message: expect.stringMatching(tooLarge.message) as string,
      });
    }
    expect((reasons[2] as Error).message).toContain("contacts[1].data");
    expect(Object.keys((await getContact(ctx, email)).data)).toHaveLength(3);
    await expect(getContact(ctx, "a@example.com")).rejects.toMatchObject({ code: "NOT_FOUND" });
    // Making room and filling it is one change.
    const fits = { ...part(4), part1: null };
    expect(
      Object.keys((await upsertContact(ctx, { email, data: fits })).contact.data),
    ).toHaveLength(3);
  });

  test("hold in an import: the row is refused with its reason", async () => {
    const { ctx } = await makeProject(database.db);
    for (const n of [1, 2, 3]) await upsertContact(ctx, { email, data: part(n) });
    const columns = ["email", ...Array.from({ length: 3 }, (_, n) => `more${n}`)];
    const cells = columns.slice(1).map(() => "y".repeat(5_000));
    const text = [columns, [email, ...cells], ["b@example.com", ...cells]]
      .map((row) => row.join())
      .join("\n");
    const started = await startImport(ctx, { file: Readable.from([Buffer.from(text)]) });
    await takeOverImports(database.db, { signal: new AbortController().signal });
    expect(await getImport(ctx, started.id)).toMatchObject({
      ...{ created: 1, updated: 0, refused: 1, processed: 2 },
      refusedRows: [{ line: 2, email, reason: expect.stringContaining("64 kB") as string }],
    });
    expect(Object.keys((await getContact(ctx, email)).data)).toHaveLength(3);
  });
});

test("a contact is upserted by the statements that stand beside this test", async () => {
  const { ctx } = await makeProject(database.db);
  const text = await recordStatements(database.url, (db) =>
    upsertContact({ ...ctx, db }, { email: "ada@example.com" }),
  );
  await expect(text).toMatchFileSnapshot("./upsert.sql");
});
