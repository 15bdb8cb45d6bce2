import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { workers, type MailServerTrouble, type SlowReceiver } from "@/db/schema";
import { newUnownedId } from "@/lib/ground/ids/ids";

/** A dispatcher's row among the workers. */
export class WorkerRow {
  readonly #db: Database;
  readonly #id = newUnownedId();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Reports that it is alive, and what speaks against using the mail server or hurrying a receiver behind it. */
  async write(
    trouble: MailServerTrouble | null,
    receivers: readonly SlowReceiver[],
  ): Promise<void> {
    await executePrepared(
      this.#db,
      sql`insert into ${workers} (id, mail_server, slow_receivers)
        values (${this.#id}, ${trouble && JSON.stringify(trouble)}::text::jsonb,
          ${receivers.length === 0 ? null : JSON.stringify(receivers)}::text::jsonb)
        on conflict (id) do update set beat_at = app_now(), mail_server = excluded.mail_server,
          slow_receivers = excluded.slow_receivers`,
    );
  }

  /** Removes the row. */
  remove(): void {
    const statement = sql`delete from ${workers} where ${workers.id} = ${this.#id}`;
    // The clean-up removes a row that stays behind.
    executePrepared(this.#db, statement).catch(() => {});
  }
}
