import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { executePrepared, type Database } from "@/db/client";
import { links } from "@/db/schema";
import { coalesce } from "@/lib/ground/coalesce";

/** Addresses kept in memory, in characters. A link never changes: one goes only to make room. */
const keptCharacters = 16_000_000;

/** Where links lead. */
export class LinkTargets {
  readonly #load: (id: number) => Promise<string | null>;
  readonly #urls = new LRUCache<number, string>({
    maxSize: keptCharacters,
    sizeCalculation: (url) => url.length + 100,
  });

  constructor(db: () => Database) {
    this.#load = coalesce(async (ids: number[]) => {
      const rows = await executePrepared<{ id: number; url: string }>(
        db(),
        sql`select ${links.id}::float8 as id, ${links.url} from ${links}
          where ${links.id} = any(${sql.param(ids)}::bigint[])`,
      );
      const byId = new Map(rows.map(({ id, url }) => [id, url]));
      return ids.map((id) => byId.get(id) ?? null);
    });
  }

  /** The address; null for a link that is not there (any more). */
  async get(id: number): Promise<string | null> {
    const kept = this.#urls.get(id);
    if (kept !== undefined) return kept;
    const url = await this.#load(id);
    if (url !== null) this.#urls.set(id, url);
    return url;
  }
}
