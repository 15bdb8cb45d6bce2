import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, it } from "vitest";
import { errorCode, isProjectAway, passesByItself, placeOfMoved } from "./errors";

const driverError = (fields: object) => Object.assign(new Error("ada@example.com"), fields);
const wrapped = (cause: Error) => new DrizzleQueryError("select 1", ["ada@example.com"], cause);

it("a log is told the code of what lies below drizzle's own error, and never its words", () => {
  const refused = driverError({ code: "23505", severity: "ERROR" });
  const away = driverError({ code: "ECONNREFUSED", syscall: "connect" });
  for (const [error, code] of [
    [refused, "23505"],
    [wrapped(refused), "23505"],
    [away, "ECONNREFUSED"],
    [wrapped(away), "ECONNREFUSED"],
    [wrapped(driverError({})), "unknown"],
    [{ code: 5 }, "unknown"],
    ["ada@example.com", "unknown"],
    [null, "unknown"],
  ]) {
    expect(errorCode(error)).toBe(code);
  }
});

it("a change to a project that has moved says where it is, one to a project on its way does not", () => {
  const state = (code: string) =>
    Object.assign(new Error("https://b.example"), { code, severity: "ERROR" });
  expect(placeOfMoved(wrapped(state("LM002")))).toBe("https://b.example");
  expect(placeOfMoved(wrapped(state("LM001")))).toBeNull();
  const errors = [wrapped(state("LM001")), state("LM002"), state("23505"), null];
  expect(errors.map(isProjectAway)).toEqual([true, true, false, false]);
  // Work that fails for it is not given up.
  expect(errors.map(passesByItself)).toEqual([true, true, false, false]);
});
