import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Database } from "@/db/client";
import { isDatabaseAway } from "@/db/errors";

const patienceMilliseconds = 30_000;

/** A database that may be away when it is asked something. */
export class PatientDatabase {
  readonly #url: string;
  #db: Database;

  constructor(url: string) {
    this.#url = url;
    this.#db = this.#connect();
  }

  #connect(): Database {
    return connect(this.#url, { max: 2, name: "chaos" });
  }

  /** Asks until it answers: its fall may also have broken the pool, which is then made anew. */
  async ask<Answer>(work: (db: Database) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const db = this.#db;
      try {
        const silence = sleep(patienceMilliseconds, null, { ref: false });
        const answer = await Promise.race([work(db), silence]);
        if (answer !== null) return answer;
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
      }
      await sleep(200);
      if (db !== this.#db) continue;
      void db.$client.end({ timeout: 0 }).catch(() => {});
      this.#db = this.#connect();
    }
  }

  end(): Promise<void> {
    return this.#db.$client.end({ timeout: 5 }).catch(() => {});
  }
}
