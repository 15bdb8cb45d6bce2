import { closedProjectState, errorCode, isDatabaseAway, placeOfMoved, sqlState } from "@/db/errors";
import { tookTooLong } from "@/db/time-limit";
import { AppError, isAppError } from "./errors";
import { log } from "./log";

/** Seconds after which a caller may repeat a request that found the database away, or no room. */
export const retrySeconds = 5;

/** UNAVAILABLE: no word on whether a write that was under way took place. */
function databaseAway(): AppError {
  return new AppError(
    "UNAVAILABLE",
    `The database cannot be reached at the moment. Try again in ${retrySeconds} seconds.`,
  );
}

/** Nothing was changed, and nothing can be for some seconds. */
export const projectIsMoving = () =>
  new AppError(
    "UNAVAILABLE",
    `The project is being moved to another database, which takes a few seconds. Try again in ${retrySeconds} seconds.`,
  );

/** Nothing can be changed here any more. `url`: where the project is reached now. */
export const projectHasMoved = (url: string) =>
  new AppError("UNAVAILABLE", `This project has moved: it is reached at ${url} now.`);

/**
 * Any error as one for the caller. What nobody foresaw is logged with the request id and becomes
 * INTERNAL_ERROR: the driver's text contains statements and people's addresses and stays out of both.
 */
export function toAppError(error: unknown, requestId: string): AppError {
  if (isAppError(error)) return error;
  if (isDatabaseAway(error)) {
    log.error({ requestId, code: errorCode(error) }, "the database cannot be reached");
    return databaseAway();
  }
  if (tookTooLong(error)) {
    log.error({ requestId, ...describe(error) }, "a statement's time was up");
    return new AppError(
      "UNAVAILABLE",
      `The database took too long to answer. Try again in ${retrySeconds} seconds.`,
    );
  }
  const state = sqlState(error);
  if (state === closedProjectState) return projectIsMoving();
  const place = placeOfMoved(error);
  if (place !== null) return projectHasMoved(place);
  // 22P05, 22021, 22P02: text that Postgres cannot store and that slipped past the surface.
  if (state === "22P05" || state === "22021" || state === "22P02") {
    return new AppError(
      "VALIDATION_ERROR",
      "The request contains characters that cannot be stored.",
    );
  }
  // 22007, 22008, 22009: a date of the year 0, or one so far away that it is written otherwise.
  if (state === "22007" || state === "22008" || state === "22009") {
    return new AppError(
      "VALIDATION_ERROR",
      "The request contains a date or time that cannot be stored.",
    );
  }
  log.error({ requestId, sqlState: state, ...describe(error) }, "unforeseen error");
  // What it names was there when it was looked up, and its deletion came first: the next try will not find it.
  if (state === "23503") {
    return new AppError(
      "UNAVAILABLE",
      `Something that this refers to was deleted at the same moment, and nothing was changed. Try again in ${retrySeconds} seconds.`,
    );
  }
  return new AppError("INTERNAL_ERROR", `Something went wrong on our side. Request: ${requestId}.`);
}

/** An error without the driver's text, which is also in the first lines of its stack. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at "));
  const fromDriver = error.message.startsWith("Failed query");
  return {
    name: error.name,
    ...(fromDriver ? { cause: describe(error.cause) } : { message: error.message.slice(0, 300) }),
    frames,
  };
}
