import { expect, test } from "vitest";
import { z } from "zod";
import { sendInput } from "@/lib/emails/schema";
import type { AppError } from "@/lib/errors";
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
  [7, "to: is of a type that does not belong here"],
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
