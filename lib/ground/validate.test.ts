import { expect, test } from "vitest";
import { z } from "zod";
import { sendInput } from "@/lib/domain/emails/send-schema";
import type { AppError } from "./errors";
import { validate } from "./validate";

function faults(schema: z.ZodType, input: unknown) {
  try {
    validate(schema, input);
  } catch (error) {
    const { message, details = [] } = error as AppError;
    return { message, details: details.map((fault) => `${fault.path}: ${fault.message}`) };
  }
  throw new Error("The input is valid.");
}

const mail = { to: "a@example.com", from: "a@b.example", subject: "x", body: "y" };

const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);

test.each([
  [{ kind: "bogus" }, "kind: is not one of circle, square"],
  [{ radius: 1 }, "kind: is required"],
  [{ kind: "circle" }, "radius: is required"],
])("of a union that one field tells apart, %j says what the field may be", (input, expected) => {
  expect(faults(shape, input)).toEqual({ message: expected, details: [expected] });
});

test.each([
  [undefined, "to: is required"],
  [7, "to: must be of type string or object or array, not number"],
  ["nobody", "to: is not an email address"],
  ["", "to: is empty"],
  [{ email: "" }, "to.email: is empty"],
  [{}, "to.email: is required"],
  [{ email: "x" }, "to.email: is not an email address"],
  [["a@example.com", { email: "b" }], "to[1].email: is not an email address"],
])("of a union the branch that came closest speaks, by its place (%j)", (to, expected) => {
  expect(faults(sendInput, { ...mail, to })).toEqual({ message: expected, details: [expected] });
});

test("a value of the wrong type is told what it must be", () => {
  const schema = z.object({ name: z.string(), limit: z.coerce.number() });
  expect(faults(schema, { name: 7, limit: "x" }).details).toEqual([
    "name: must be of type string, not number",
    "limit: is not a number",
  ]);
  expect(faults(schema, []).message).toBe("The request must be of type object, not array");
});

test("every fault has an entry, the first stands in the message, fifty at most", () => {
  const schema = z.array(z.string());
  const { message, details } = faults(schema, Array(60).fill(1));
  expect(message).toBe("[0]: must be of type string, not number");
  expect(details).toHaveLength(50);
});

test.each([
  [z.iso.datetime(), "soon", "is not an ISO 8601 time, like 2026-11-21T09:30:00Z"],
  [
    z.union([z.iso.datetime(), z.iso.date()]),
    "soon",
    "is not an ISO 8601 time, like 2026-11-21T09:30:00Z or an ISO 8601 date, like 2026-11-21",
  ],
  [z.number().max(100), 101, "is greater than 100"],
  [z.number().gt(0), 0, "is less than or is 0"],
  [z.string().max(3), "four", "has more than 3 characters"],
  [z.array(z.string()).min(1), [], "is empty"],
  [z.array(z.string()).min(2), ["x"], "has fewer than 2 items"],
  [z.enum(["A", "B"]), "C", "is not one of A, B"],
  [z.string().max(3, "is too long a word"), "four", "is too long a word"],
])("a value that is refused is told what would do (%#)", (schema, input, expected) => {
  expect(faults(z.object({ it: schema }), { it: input }).details).toEqual([`it: ${expected}`]);
});

test("a name that is not known is told at its place, with the nearest one that is", () => {
  const wrong = {
    to: { email: "a@example.com", nmae: "Ada" },
    from: "a@b.example",
    html_body: "x",
  };
  expect(faults(sendInput, { ...wrong, trackin: 1, tracking: { open: true } }).details).toEqual([
    "to.nmae: is not known; did you mean name?",
    "tracking.open: is not known; did you mean opens?",
    "html_body: is not known; did you mean htmlBody?",
    "trackin: is not known; did you mean tracking?",
  ]);
  expect(faults(z.strictObject({ scope: z.string() }), { permission: 1, scope: "x" }).message).toBe(
    "permission: is not known; the known ones are scope",
  );
  expect(faults(z.strictObject({}), { x: 1 }).message).toBe(
    "x: is not known; nothing is expected here",
  );
});

test("of 100,000 names that are not known, fifty are told", () => {
  const names = Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`n${index}`, 1]));
  expect(faults(z.strictObject({}), names).details).toHaveLength(50);
});

const nested = z.strictObject({
  needed: z.string(),
  name: z.string().optional(),
  kind: z.enum(["a", "b"]).default("a"),
  parent: z.string().nullable().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  choice: z.union([z.string(), z.strictObject({ of: z.string().optional() })]).optional(),
  items: z
    .array(z.strictObject({ size: z.number().optional() }))
    .max(9)
    .optional(),
});

test("null is the same as absent where a field is optional, at every depth", () => {
  const nulls = { name: null, kind: null, choice: { of: null }, items: [{ size: null }, {}] };
  expect(validate(nested, { needed: "x", ...nulls })).toEqual({
    needed: "x",
    kind: "a",
    choice: {},
    items: [{}, {}],
  });
  expect(validate(nested, { needed: "x", choice: null, items: null })).toEqual({
    needed: "x",
    kind: "a",
  });
});

test("null stays where it means something, and is refused where a value is needed", () => {
  const input = { needed: "x", parent: null, values: { gone: null } };
  expect(validate(nested, input)).toEqual({ ...input, kind: "a" });
  expect(faults(nested, { needed: null }).message).toBe("needed: must be of type string, not null");
  expect(faults(nested, { needed: "x", labels: { a: null } }).message).toBe(
    "labels.a: must be of type string, not null",
  );
  expect(faults(nested, { needed: "x", items: [null] }).message).toBe(
    "items[0]: must be of type object, not null",
  );
});

test("an array that is too long is refused before its items are read", () => {
  let read = 0;
  const item = z.number().refine(() => ++read > 0);
  const schema = z.strictObject({ list: z.array(item).max(2, "holds more than two").optional() });
  expect(faults(schema, { list: [1, 2, 3] }).message).toBe("list: holds more than two");
  expect(read).toBe(0);
  expect(validate(schema, { list: [1, 2] })).toEqual({ list: [1, 2] });
});

test("an object with names of the caller's choice has a bound before any of them is read", () => {
  let read = 0;
  const names = z.record(
    z.string().refine(() => ++read > 0),
    z.unknown(),
  );
  const schema = z.strictObject({ headers: names.optional() });
  const named = (many: number) =>
    Object.fromEntries(Array.from({ length: many }, (_, n) => [`x-${n}`, n]));
  const message = "headers: holds more than 1,000 names";
  expect(faults(schema, { headers: named(1_001) }).message).toBe(message);
  const batch = z.array(schema).max(5);
  expect(faults(batch, [{}, { headers: named(1_001) }]).message).toBe(`[1].${message}`);
  expect(read).toBe(0);
  expect(validate(schema, { headers: named(1_000) }).headers).toEqual(named(1_000));
});

test("arrays of one schema inside each other have one bound together", () => {
  interface Tree {
    parts?: Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.strictObject({
    get parts() {
      return parts.optional();
    },
  });
  const parts = z.array(tree).max(5);
  const wide = (count: number) => ({ parts: Array.from({ length: count }, () => ({})) });
  expect(validate(tree, { parts: [wide(2), wide(1)] })).toBeTruthy();
  expect(faults(tree, { parts: [wide(2), wide(2)] }).message).toBe(
    "parts[1].parts: has more than 5 items",
  );
  // The next request begins anew.
  expect(validate(tree, wide(5))).toBeTruthy();
});

test.each([
  [z.int(), 1.5, "is not a whole number"],
  [z.int(), "1", "must be of type number, not string"],
  [z.coerce.number(), "1e999", "is not a number"],
  [z.record(z.string(), z.string()), 3, "must be of type object, not number"],
  [z.literal(1), 2, "is not one of 1"],
  [z.number().multipleOf(5), 3, "is not valid"],
])("no word of the parser gets out (%#)", (schema, input, expected) => {
  expect(faults(z.object({ it: schema }), { it: input }).details).toEqual([`it: ${expected}`]);
});

test("a name of a record that is refused says why", () => {
  const schema = z.object({
    it: z.record(z.string().regex(/^a/, "is not a header name"), z.any()),
  });
  expect(faults(schema, { it: { b: 1 } }).details).toEqual(["it.b: is not a header name"]);
});
