import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { workers } from "@/db/schema";
import { newId } from "@/lib/ground/ids/ids";

/** A dispatcher's row among the workers: that it lives. */
export class WorkerRow {
  readonly #db: Database;
  readonly #id = newId();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Says that it lives. */
  async write(): Promise<void> {
    await executePrepared(
      this.#db,
      sql`insert into ${workers} (id) values (${this.#id})
        on conflict (id) do update set beat_at = app_now()`,
    );
  }

  /** Takes the row away. */
  remove(): void {
    const statement = sql`delete from ${workers} where ${workers.id} = ${this.#id}`;
    // One that stays is taken away by the clean-up.
    executePrepared(this.#db, statement).catch(() => {});
  }
}
