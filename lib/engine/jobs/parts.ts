import { errorCode, isDatabaseAway } from "@/db/errors";
import { log } from "@/lib/ground/log";

/**
 * The parts of a clean-up, each done whether or not those before it were: one that fails every time would keep all
 * that come after it from ever being done.
 */
export class Parts {
  readonly #failed = new Set<string>();

  /** Does one part; `otherwise` when it fails. Throws when the database is away. */
  async attempt<Result>(
    name: string,
    work: () => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.error({ part: name, code: errorCode(error) }, "A part of the clean-up failed.");
      this.#failed.add(name);
      return otherwise;
    }
  }

  /** Throws when a part has failed, so that the run counts as failed. */
  end(): void {
    if (this.#failed.size === 0) return;
    throw new Error(`Parts of the clean-up failed: ${[...this.#failed].join(", ")}.`);
  }
}
