/** The SQLSTATE of a database error, from drizzle's wrapper or the driver's own; null for anything else. */
export function sqlState(error: unknown): string | null {
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code, severity } = cause as { code?: unknown; severity?: unknown };
    if (typeof code === "string" && typeof severity === "string") return code;
    cause = (cause as { cause?: unknown }).cause;
  }
  return null;
}

/** What a log may say of an error: a SQLSTATE or a system's code. Messages hold people's addresses. */
export function errorCode(error: unknown): string {
  const state = sqlState(error);
  if (state !== null) return state;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "unknown";
}

/** The violated constraint's name, when the error is one of a constraint. */
export function violatedConstraint(error: unknown): string | null {
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const name = (cause as { constraint_name?: unknown }).constraint_name;
    if (typeof name === "string") return name;
    cause = (cause as { cause?: unknown }).cause;
  }
  return null;
}

/** Runs a transaction again when Postgres chose it as a victim: deadlock (40P01) or serialization (40001). */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      if (attempt >= 5 || (state !== "40P01" && state !== "40001")) throw error;
    }
  }
}
