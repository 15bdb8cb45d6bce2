import { expect, test } from "vitest";
import { z } from "zod";
import { sendInput } from "@/lib/domain/emails/schema";
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

test.each([
  [undefined, "to: is required"],
  [7, "to: must be of type string or object or array, not number"],
  ["nobody", "to: is not an email address"],
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
    "limit: must be of type number, not NaN",
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
