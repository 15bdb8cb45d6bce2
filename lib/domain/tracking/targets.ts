import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { executePrepared, type Database } from "@/db/client";
import { links } from "@/db/schema";
import { coalesce } from "@/lib/ground/coalesce";

/** Addresses kept in memory, in characters. A link never changes: one goes only to make room. */
const keptCharacters = 16_000_000;

/** A link's address, and the project (uuid) whose mail it is in. */
export interface LinkTarget {
  url: string;
  projectId: string;
}

/** Where links lead. */
export class LinkTargets {
  readonly #load: (id: bigint) => Promise<LinkTarget | null>;
  readonly #targets = new LRUCache<bigint, LinkTarget>({
    maxSize: keptCharacters,
    sizeCalculation: ({ url }) => url.length + 200,
  });

  constructor(db: () => Database) {
    this.#load = coalesce(async (ids: bigint[]) => {
      const rows = await executePrepared<{ id: string; url: string; project_id: string }>(
        db(),
        sql`select ${links.id}::text as id, ${links.url}, ${links.projectId} from ${links}
          where ${links.id} = any(${sql.param(ids.map(String))}::bigint[])`,
      );
      const byId = new Map(
        rows.map(({ id, url, project_id: projectId }) => [id, { url, projectId }]),
      );
      return ids.map((id) => byId.get(String(id)) ?? null);
    });
  }

  /** null for a link that is not there (any more). */
  async get(id: bigint): Promise<LinkTarget | null> {
    const kept = this.#targets.get(id);
    if (kept !== undefined) return kept;
    const target = await this.#load(id);
    if (target !== null) this.#targets.set(id, target);
    return target;
  }
}
