import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { executePrepared, type Database } from "@/db/client";
import { assignments } from "@/db/names";
import { apiKeys, projects } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { KeyMode, KeyScope } from "@/db/enums";
import { coalesceFor } from "@/lib/ground/coalesce";
import { sha256 } from "@/lib/ground/secrets";
import { isWellFormedKey } from "./api-keys";

/** What a request needs to know about the key it came with. */
export interface KeyIdentity {
  /** uuid */
  keyId: string;
  projectId: string;
  scope: KeyScope;
  mode: KeyMode;
  /** Requests a minute. */
  sendsPerMinute: number;
  requestsPerTenSeconds: number;
}

interface Row extends Record<string, unknown> {
  hash: string;
  id: string;
  project_id: string;
  scope: KeyScope;
  mode: KeyMode;
  sends: number | null;
  requests: number | null;
}

export const defaultSendsPerMinute = 1000;
export const defaultRequestsPerTenSeconds = 100;

/** A revoked key must stop working everywhere within a second, so identities are cached for half a second. */
const cachedMilliseconds = 500;
const mostCachedKeys = 10_000;

const caches = new WeakMap<Database, LRUCache<string, Promise<KeyIdentity | null>>>();

function cacheOf(db: Database) {
  let cache = caches.get(db);
  if (!cache) {
    // A flood of made-up keys must not fill memory.
    caches.set(db, (cache = new LRUCache({ max: mostCachedKeys, ttl: cachedMilliseconds })));
  }
  return cache;
}

const readIdentity = coalesceFor<Database, string, KeyIdentity | null>(async (db, hashes) => {
  // The same statement records the use, at most once a minute per key.
  const rows = await executePrepared<Row>(
    db,
    sql`
    with matched as (
      select ${apiKeys.id}, ${apiKeys.projectId}, ${apiKeys.scope}, ${apiKeys.mode},
        encode(${apiKeys.hash}, 'hex') as hash, ${apiKeys.lastUsedAt} as used_at,
        coalesce(${apiKeys.sendsPerMinute}, ${projects.sendsPerMinute}) as sends,
        coalesce(${apiKeys.requestsPerTenSeconds}, ${projects.requestsPerTenSeconds}) as requests
      from ${apiKeys} join ${projects} on ${projects.id} = ${apiKeys.projectId}
      where ${apiKeys.revokedAt} is null and ${apiKeys.hash} in (
        select decode(h, 'hex') from unnest(${sql.param(hashes)}::text[]) as h)
    ), used as (
      update ${apiKeys} set ${assignments(apiKeys, { lastUsedAt: now })}
      where ${apiKeys.id} in (
        select ${apiKeys.id} from ${apiKeys} join matched on matched.id = ${apiKeys.id}
        where matched.used_at is null or matched.used_at < app_now() - interval '1 minute'
        order by ${apiKeys.id} for update of ${apiKeys} skip locked
      )
    )
    select hash, id, project_id, scope, mode, sends, requests from matched`,
  );
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    return row
      ? {
          keyId: row.id,
          projectId: row.project_id,
          scope: row.scope,
          mode: row.mode,
          sendsPerMinute: row.sends ?? defaultSendsPerMinute,
          requestsPerTenSeconds: row.requests ?? defaultRequestsPerTenSeconds,
        }
      : null;
  });
});

/** A key's project and rights; null when the key is unknown, mistyped or revoked. */
export async function findKeyIdentity(db: Database, key: string): Promise<KeyIdentity | null> {
  if (!isWellFormedKey(key)) return null;
  const cache = cacheOf(db);
  const hash = sha256(key).toString("hex");
  const cached = cache.get(hash);
  if (cached) return cached;
  const identity = readIdentity(db, hash);
  cache.set(hash, identity);
  identity.catch(() => cache.delete(hash));
  return identity;
}
