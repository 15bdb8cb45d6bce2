import type { Database } from "@/db/client";
import { errorCode, sqlState } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { recordResults } from "./record";
import type { DeliveryResult } from "./result";

const firstPauseMilliseconds = 100;
const longestPauseMilliseconds = 2_000;

/** Whether Postgres objects to the result itself (data exception, constraint) rather than being in trouble. */
function isAboutTheResult(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? "");
}

/** Only the outcome of the mail, without anybody's words. */
function bare(result: DeliveryResult): DeliveryResult {
  return {
    ...result,
    events: result.events.map(({ name, data }) => ({
      name,
      data: Object.fromEntries(
        Object.entries(data).filter(([, value]) => typeof value === "number"),
      ),
    })),
    subject: null,
    captured: null,
  };
}

/**
 * Results on their way into the database. After a server's 250, nothing else knows that the mail has left: a result
 * that Postgres does not accept is kept for as long as the process lives.
 */
export class Results {
  readonly #db: Database;
  readonly #record: (result: DeliveryResult) => Promise<boolean>;
  #kept = 0;

  /** `record` may write several results in one statement. */
  constructor(db: Database, record: (result: DeliveryResult) => Promise<boolean>) {
    this.#db = db;
    this.#record = record;
  }

  /** Whether there are results that Postgres has not accepted: nothing more may start before it has. */
  get waiting(): boolean {
    return this.#kept > 0;
  }

  /** Resolves when the result is recorded. */
  async record(result: DeliveryResult): Promise<void> {
    try {
      await this.#record(result);
    } catch (error) {
      this.#kept++;
      try {
        await this.#insist(result, error);
      } finally {
        this.#kept--;
      }
    }
  }

  async #insist(result: DeliveryResult, first: unknown): Promise<void> {
    log.warn(
      { emailId: result.email.id, code: errorCode(first) },
      "A result could not be recorded; it is kept.",
    );
    let pause = firstPauseMilliseconds;
    for (let error = first; ;) {
      if (isAboutTheResult(error) && (await this.#recordedAlone(result))) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, longestPauseMilliseconds);
      try {
        await this.#record(result);
        return;
      } catch (again) {
        error = again;
      }
    }
  }

  /** On its own, as the fault may be in the results it came with; as a last resort without its words. */
  async #recordedAlone(result: DeliveryResult): Promise<boolean> {
    for (const version of [result, bare(result)]) {
      try {
        await recordResults(this.#db, [version]);
        return true;
      } catch {
        // Tried again with the next version, or later.
      }
    }
    return false;
  }
}
