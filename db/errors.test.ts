import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, it } from "vitest";
import { errorCode } from "./errors";

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
