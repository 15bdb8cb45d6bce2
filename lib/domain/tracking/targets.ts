import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { executePrepared, type Database } from "@/db/client";
import { links } from "@/db/schema";
import { coalesce } from "@/lib/ground/coalesce";

/** Addresses kept in memory, in characters. A link never changes: one goes only to make room. */
const keptCharacters = 16_000_000;

/** Where links lead. */
export class LinkTargets {
  readonly #load: (id: bigint) => Promise<string | null>;
  readonly #urls = new LRUCache<bigint, string>({
    maxSize: keptCharacters,
    sizeCalculation: (url) => url.length + 100,
  });

  constructor(db: () => Database) {
    this.#load = coalesce(async (ids: bigint[]) => {
      const rows = await executePrepared<{ id: string; url: string }>(
        db(),
        sql`select ${links.id}::text as id, ${links.url} from ${links}
          where ${links.id} = any(${sql.param(ids.map(String))}::bigint[])`,
      );
      const byId = new Map(rows.map(({ id, url }) => [id, url]));
      return ids.map((id) => byId.get(String(id)) ?? null);
    });
  }

  /** The address; null for a link that is not there (any more). */
  async get(id: bigint): Promise<string | null> {
    const kept = this.#urls.get(id);
    if (kept !== undefined) return kept;
    const url = await this.#load(id);
    if (url !== null) this.#urls.set(id, url);
    return url;
  }
}
