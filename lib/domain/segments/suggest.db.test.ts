import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContacts } from "@/lib/domain/contacts/upsert";
import { describeContactField } from "@/lib/domain/contact-fields/fields";
import { createList } from "@/lib/domain/lists/lists";
import { makeProject } from "@/lib/testing";
import { segmentFilter, segmentSuggestions } from "./schema";
import { createSegment } from "./segments";
import { listSegmentNames, suggestSegmentFields } from "./suggest";
import { previewSegment } from "@/lib/domain/segment-members/segment-members";

const database = useTestDatabase();
const person = (name: string, more: Record<string, unknown>) => ({
  email: `${name}@example.com`,
  ...more,
});

test("suggests the keys, kinds and values that contacts have, the commonest first", async () => {
  const { ctx } = await makeProject(database.db);
  const otherProject = await makeProject(database.db);
  await upsertContacts(ctx, [
    person("a", { tags: ["vip"], data: { plan: "pro", seats: 3, since: "2026-01-01" } }),
    person("b", {
      tags: ["vip", "new"],
      data: { plan: "free", paid: true, skills: ["tea", "go"] },
    }),
    person("c", {
      data: { plan: "free", address: { city: "Oslo" }, "a.b": 1, long: "x".repeat(101) },
    }),
  ]);
  await upsertContacts(otherProject.ctx, [person("z", { tags: ["theirs"], data: { secret: 1 } })]);
  const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
  const { fields, sampled } = segmentSuggestions.parse(await suggestSegmentFields(ctx));
  const of = (field: string) => fields.find((one) => one.field === field);
  expect(sampled).toBe(3);
  expect(of("tags")?.values).toEqual([{ value: "vip" }, { value: "new" }]);
  expect(of("data.plan")).toEqual({
    field: "data.plan",
    kind: "text",
    values: [{ value: "free" }, { value: "pro" }],
  });
  expect(of("data.seats")?.kind).toBe("number");
  expect(of("data.paid")?.kind).toBe("boolean");
  expect(of("data.since")?.kind).toBe("date");
  expect(of("data.skills")).toMatchObject({
    kind: "members",
    values: [{ value: "tea" }, { value: "go" }],
  });
  expect(of("data.address.city")?.values).toEqual([{ value: "Oslo" }]);
  expect(of("data.long")?.values).toEqual([]);
  expect(of("data.a.b")).toBeUndefined();
  expect(of("data.secret")).toBeUndefined();
  expect(of("list")?.values).toEqual([{ value: list.id, label: "News" }]);
});

test("every suggestion is a condition that a filter takes", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContacts(ctx, [
    person("a", { tags: ["vip"], data: { n: 1, t: "x", b: false, l: [2] } }),
  ]);
  await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
  const { fields } = await suggestSegmentFields(ctx);
  const conditions = fields.flatMap(({ field, values }) =>
    values.map(({ value }) => ({ field, op: "eq", value })),
  );
  expect(conditions.length).toBeGreaterThan(5);
  const filter = segmentFilter.parse({ or: conditions });
  expect((await previewSegment(ctx, filter)).count).toBe(1);
});

test("looks at the newest and the oldest thousand, each once", async () => {
  const { ctx } = await makeProject(database.db);
  for (const from of [0, 1_000, 2_000]) {
    const people = Array.from({ length: 1_000 }, (_, index) =>
      person(`p${from + index}`, { data: { [`k${from / 1_000}`]: index } }),
    );
    await upsertContacts(ctx, people);
  }
  const { fields, sampled } = await suggestSegmentFields(ctx);
  expect(sampled).toBe(2_000);
  expect(
    fields.map(({ field }) => field).filter((field) => field.startsWith("data.")),
  ).toHaveLength(2);
  expect(fields.find(({ field }) => field === "data.k2")?.values).toHaveLength(20);
});

test("names the project's segments", async () => {
  const { ctx } = await makeProject(database.db);
  const segment = await createSegment(ctx, { name: "All", filter: { and: [] } });
  expect(await listSegmentNames(ctx)).toEqual([{ id: segment.id, name: "All" }]);
});

test("a described field is offered as what it is said to hold, before anybody has it", async () => {
  const { ctx } = await makeProject(database.db);
  const other = await makeProject(database.db);
  await upsertContacts(ctx, [person("a", { data: { seats: "3" } })]);
  await describeContactField(ctx, "seats", { kind: "number", acceptMisfits: true });
  await describeContactField(ctx, "since", { kind: "date" });
  await describeContactField(other.ctx, "secret", { kind: "date" });
  const { fields } = await suggestSegmentFields(ctx);
  expect(fields.filter(({ field }) => field.startsWith("data."))).toEqual([
    { field: "data.seats", kind: "number", values: [{ value: "3" }] },
    { field: "data.since", kind: "date", values: [] },
  ]);
});
