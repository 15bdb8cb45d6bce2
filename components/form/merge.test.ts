import { expect, test } from "vitest";
import { conflictingFields, merged } from "./merge";

const base = { subject: "News", body: "<p>1</p>", tags: ["a"] };

test("what only one side changed is nobody's conflict, and both changes stay", () => {
  const theirs = { ...base, subject: "Snow" };
  const mine = { ...base, body: "<p>2</p>" };
  expect(conflictingFields(base, theirs, mine)).toEqual([]);
  expect(merged(base, theirs, mine)).toEqual({ subject: "Snow", body: "<p>2</p>", tags: ["a"] });
});

test("the same change on both sides is no conflict", () => {
  const same = { ...base, tags: ["a", "b"] };
  expect(conflictingFields(base, same, { ...base, tags: ["a", "b"] })).toEqual([]);
});

test("different changes of one field are a conflict, in which mine stays until it is decided", () => {
  const theirs = { ...base, subject: "Snow", body: "<p>theirs</p>" };
  const mine = { ...base, subject: "Rain" };
  expect(conflictingFields(base, theirs, mine)).toEqual(["subject"]);
  expect(merged(base, theirs, mine)).toEqual({ ...theirs, subject: "Rain" });
});

test("a change that was taken back here gives way to theirs", () => {
  const theirs = { ...base, subject: "Snow" };
  expect(conflictingFields(base, theirs, { ...base })).toEqual([]);
  expect(merged(base, theirs, { ...base }).subject).toBe("Snow");
});
