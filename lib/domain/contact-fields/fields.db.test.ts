import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { makeProject } from "@/lib/testing";
import { describeContactField, listContactFields } from "./fields";

const database = useTestDatabase();

test("fields are counted by what they hold, the described ones first and in their order", async () => {
  const { ctx } = await makeProject(database.db);
  const other = await makeProject(database.db);
  await upsertContact(other.ctx, { email: "eve@example.com", data: { secret: 1 } });
  await upsertContact(ctx, {
    email: "ada@example.com",
    data: { plan: "pro", seats: 3, since: "2026-01-05", legs: [1] },
  });
  await upsertContact(ctx, { email: "eve@example.com", data: { seats: "three", plan: "free" } });
  await describeContactField(ctx, "size", { kind: "number" });
  await describeContactField(ctx, "plan", { kind: "text", description: "What they pay for" });
  expect(await describeContactField(ctx, "plan", { kind: "text", position: 1 })).toMatchObject({
    position: 1,
    description: "What they pay for",
  });
  const { data, contacts } = await listContactFields(ctx);
  expect(contacts).toBe(2);
  expect(
    data.map(({ key, kind, position, contacts: having, misfits }) => [
      key,
      kind,
      position,
      having,
      misfits,
    ]),
  ).toEqual([
    ["plan", "text", 1, 2, 0],
    ["size", "number", 2, 0, 0],
    ["legs", "text", null, 1, 1],
    ["seats", "text", null, 2, 1],
    ["since", "date", null, 1, 0],
  ]);
});

test("a type that values do not fit says how many, and is set only when that is accepted", async () => {
  const { ctx } = await makeProject(database.db);
  for (const [index, seats] of [3, "three", "4"].entries()) {
    await upsertContact(ctx, { email: `c${index}@example.com`, data: { seats } });
  }
  await expect(describeContactField(ctx, "seats", { kind: "number" })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("2 contacts have a value that is not a number") as string,
    details: [{ path: "kind", message: expect.stringContaining("2 contacts") as string }],
  });
  expect(
    await describeContactField(ctx, "seats", { kind: "number", acceptMisfits: true }),
  ).toMatchObject({ kind: "number", misfits: 2 });
});

test("what is not given stays as somebody else has set it, and a new field needs a kind", async () => {
  const { ctx } = await makeProject(database.db);
  await expect(describeContactField(ctx, "plan", { description: "Paid" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "kind" }],
  });
  await describeContactField(ctx, "size", { kind: "text" });
  await describeContactField(ctx, "plan", { kind: "boolean", description: "Paid" });
  await describeContactField(ctx, "plan", { position: 1 });
  expect(await describeContactField(ctx, "plan", { description: "Pays" })).toMatchObject({
    ...{ kind: "boolean", description: "Pays", position: 1 },
  });
});

test.each(["__proto__", "x".repeat(101), "line\nbreak"])(
  "a key that data cannot have is refused: %j",
  async (key) => {
    const { ctx } = await makeProject(database.db);
    await expect(describeContactField(ctx, key, { kind: "text" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  },
);

test("a field is not described by who has not seen what was last said of it, nor added twice", async () => {
  const { ctx } = await makeProject(database.db);
  const stale = { code: "CONFLICT", details: [{ path: "basedOn" }] };
  const first = await describeContactField(ctx, "plan", { kind: "text", basedOn: null });
  expect((await listContactFields(ctx)).data).toMatchObject([{ updatedAt: first.updatedAt }]);
  await expect(
    describeContactField(ctx, "plan", { kind: "number", basedOn: null }),
  ).rejects.toMatchObject(stale);
  const basedOn = first.updatedAt;
  const second = await describeContactField(ctx, "plan", { description: "Theirs", basedOn });
  await expect(
    describeContactField(ctx, "plan", { description: "Mine", basedOn }),
  ).rejects.toMatchObject(stale);
  await expect(describeContactField(ctx, "gone", { kind: "text", basedOn })).rejects.toMatchObject(
    stale,
  );
  expect(
    await describeContactField(ctx, "plan", { kind: "number", basedOn: second.updatedAt }),
  ).toMatchObject({ kind: "number", description: "Theirs" });
});
