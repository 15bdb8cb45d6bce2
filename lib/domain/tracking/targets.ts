import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { coalesce } from "@/lib/ground/coalesce";

/** Addresses kept in memory, in characters. A link never changes, so the oldest go only for room. */
const keptCharacters = 16_000_000;

/** Where links lead. */
export class LinkTargets {
  readonly #load: (id: number) => Promise<string | null>;
  readonly #kept = new Map<number, string>();
  #characters = 0;

  constructor(db: () => Database) {
    this.#load = coalesce(async (ids: number[]) => {
      const rows = await executePrepared<{ id: number; url: string }>(
        db(),
        sql`select id::float8 as id, url from links where id = any(${sql.param(ids)}::bigint[])`,
      );
      const byId = new Map(rows.map(({ id, url }) => [id, url]));
      return ids.map((id) => byId.get(id) ?? null);
    });
  }

  /** The address; null for a link that is not there (any more). */
  async get(id: number): Promise<string | null> {
    const known = this.#kept.get(id);
    if (known !== undefined) return known;
    const url = await this.#load(id);
    if (url !== null && !this.#kept.has(id)) {
      this.#kept.set(id, url);
      this.#characters += url.length + 100;
      for (const [oldest, { length }] of this.#kept) {
        if (this.#characters <= keptCharacters) break;
        this.#kept.delete(oldest);
        this.#characters -= length + 100;
      }
    }
    return url;
  }
}
