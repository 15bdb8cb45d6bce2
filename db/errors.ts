/** The SQLSTATE of a database error, from drizzle's wrapper or the driver's own; null for anything else. */
export function sqlState(error: unknown): string | null {
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code, severity } = cause as { code?: unknown; severity?: unknown };
    if (typeof code === "string" && typeof severity === "string") return code;
    cause = (cause as { cause?: unknown }).cause;
  }
  return null;
}

/** The driver's and the system's codes for a server that cannot be reached or that hung up. */
const awayCodes = new Set([
  ...["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "CONNECT_TIMEOUT"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
]);

/**
 * SQLSTATEs of a server that is starting, stopping, full or no longer the primary: 08 connection,
 * 53 resources, 57P01 to 57P03 shutdown and start, 25006 a standby that takes no writes.
 */
const awayStates = /^(?:08...|53...|57P0[1-3]|25006)$/;

/** Whether the database is away, or went away in the middle: the same may work in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return awayStates.test(state);
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
    // A missing file has the same code as a missing socket.
    const ofFile = code === "ENOENT" && syscall !== "connect";
    if (typeof code === "string" && awayCodes.has(code) && !ofFile) return true;
    cause = (cause as { cause?: unknown }).cause;
  }
  return false;
}

/**
 * Classes of SQLSTATE that pass by themselves: connections, locks, resources, operator intervention, and ours for
 * projects that are moved.
 */
const passingClasses = new Set(["08", "40", "53", "55", "57", "58", "LM"]);
/** A statement whose time was up, which it may be every time. */
const cancelled = "57014";

/** Whether the database was away or busy: work that failed for it is not to blame, and is not given up. */
export function passesByItself(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state !== cancelled && passingClasses.has(state.slice(0, 2));
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && /^(CONNECT|E[A-Z]+$)/.test(code)) return true;
    cause = (cause as { cause?: unknown }).cause;
  }
  return false;
}

/** The SQLSTATE of a change to a project that is closed while it moves to another database (bin/move/fence.ts). */
export const closedProjectState = "LM001";
/** The same for one that has moved; the message is where it is reached now. */
export const movedProjectState = "LM002";

/** Where a project is reached that has moved to another database, if the error says so. */
export function placeOfMoved(error: unknown): string | null {
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code, severity, message } = cause as Record<string, unknown>;
    if (code === movedProjectState && typeof severity === "string") return String(message);
    cause = (cause as { cause?: unknown }).cause;
  }
  return null;
}

/** Whether a statement failed because of a project that is not to be changed here: others' changes in it are fine. */
export const isProjectAway = (error: unknown): boolean =>
  [closedProjectState, movedProjectState].includes(sqlState(error) ?? "");

/** What a log may say of an error: a SQLSTATE or a system's code. Messages hold people's addresses. */
export function errorCode(error: unknown): string {
  const state = sqlState(error);
  if (state !== null) return state;
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string") return code;
    cause = (cause as { cause?: unknown }).cause;
  }
  return "unknown";
}

/** The violated constraint's name, when the error is about a constraint. */
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
