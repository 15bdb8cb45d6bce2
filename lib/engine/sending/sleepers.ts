import type { Database } from "@/db/client";
import { wakeSleepers } from "./leases";

/** How often to look for scheduled mail and retries whose time has come. */
const wakeMilliseconds = 500;

/** Mail that waits for its time: scheduled, or to be tried again. */
export class Sleepers {
  readonly #db: Database;
  /** Of performance.now(). */
  #nextWake = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Wakes mail whose time has come, unless that was just done. Resolves to whether there is more. */
  async wake(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#nextWake) return false;
    const more = await wakeSleepers(this.#db);
    this.#nextWake = more ? 0 : now + wakeMilliseconds;
    return more;
  }
}
