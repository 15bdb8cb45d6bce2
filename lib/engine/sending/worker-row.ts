import { eq, sql } from "drizzle-orm";
import { assignments, columns, excluded } from "@/db/names";
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

  /** Reports that it is alive, and any reason not to use the mail server or to go easy on a receiver behind it. */
  async write(
    trouble: MailServerTrouble | null,
    receivers: readonly SlowReceiver[],
  ): Promise<void> {
    await executePrepared(
      this.#db,
      sql`insert into ${workers} (${columns(workers.id, workers.mailServer, workers.slowReceivers)})
        values (${this.#id}, ${trouble && JSON.stringify(trouble)}::text::jsonb,
          ${receivers.length === 0 ? null : JSON.stringify(receivers)}::text::jsonb)
        on conflict (${columns(workers.id)}) do update set ${assignments(workers, {
          beatAt: sql`app_now()`,
          mailServer: excluded(workers.mailServer),
          slowReceivers: excluded(workers.slowReceivers),
        })}`,
    );
  }

  /** Removes the row. */
  remove(): void {
    const removal = this.#db.delete(workers).where(eq(workers.id, this.#id)).getSQL();
    // The clean-up removes a row that stays behind.
    executePrepared(this.#db, removal).catch(() => {});
  }
}
