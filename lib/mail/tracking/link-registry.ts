import { hash } from "node:crypto";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { executePrepared, type Database } from "@/db/client";
import { assignments, columns, insertSelected } from "@/db/names";
import { links } from "@/db/schema";
import { retryConflicts } from "@/db/errors";
import { coalesce } from "@/lib/ground/coalesce";

/** The message whose links are tracked. */
interface LinkSource {
  id: string;
  projectId: string;
  campaignId: string | null;
}

interface Link {
  source: LinkSource;
  url: string;
}

/** `links.id`; null for what cannot be tracked. */
interface LinkId {
  id: bigint | null;
}

const longestUrl = 8_000;
/** Per mail, a row each. Nobody's newsletter has more; a mail of 5 MB could have 100,000. */
const mostTracked = 1_000;
/** Addresses kept in memory over all messages, in characters: per-recipient ones never end. */
const keptCharacters = 16_000_000;

const keyOf = (messageId: string, url: string) => `${messageId} ${url}`;

/**
 * The id that a message's link gets: a hash, so that no two databases give the same one to different links. 62
 * bits behind a one: among a billion links, one pair or none collides, and ids that were counted are small.
 */
export function linkIdOf(messageId: string, url: string): bigint {
  const bits = hash("sha256", keyOf(messageId, url), "buffer").readBigUInt64BE();
  return (1n << 62n) | (bits >> 2n);
}

/**
 * Gives each address in a message its row in `links`: once per message, however many people receive it,
 * and in few statements where each recipient has addresses of their own.
 */
export class LinkRegistry {
  readonly #register: (link: Link) => Promise<LinkId>;
  readonly #ids = new LRUCache<string, LinkId>({
    maxSize: keptCharacters,
    sizeCalculation: (_, key) => key.length + 100,
  });

  constructor(db: Database) {
    this.#register = coalesce((links: Link[]) => registerLinks(db, links));
  }

  /**
   * `links.id` of exactly these addresses of one mail; null for those that cannot be tracked, and for what
   * comes after the first thousand: they stay as written.
   */
  async idsOf(
    source: LinkSource,
    urls: Iterable<string>,
  ): Promise<ReadonlyMap<string, bigint | null>> {
    const ids = new Map<string, bigint | null>();
    await Promise.all(
      [...new Set(urls)].map(async (url, place) => {
        const tracked = place < mostTracked && url.length <= longestUrl;
        ids.set(url, tracked ? (await this.#idOf(source, url)).id : null);
      }),
    );
    return ids;
  }

  async #idOf(source: LinkSource, url: string): Promise<LinkId> {
    const key = keyOf(source.id, url);
    let linkId = this.#ids.get(key);
    if (!linkId) {
      linkId = await this.#register({ source, url });
      this.#ids.set(key, linkId);
    }
    return linkId;
  }
}

async function registerLinks(db: Database, asked: Link[]): Promise<LinkId[]> {
  const distinct = [
    ...new Map(asked.map((link) => [keyOf(link.source.id, link.url), link])).values(),
  ];
  const column = <Value>(read: (link: Link) => Value) => sql.param(distinct.map(read));
  const rows = await retryConflicts(() =>
    executePrepared<{ id: string; message_id: string; url: string }>(
      db,
      sql`with asked as materialized (
          select *, md5(url) as hash from unnest(
            ${column(({ source }) => source.projectId)}::uuid[],
            ${column(({ source }) => source.campaignId)}::uuid[],
            ${column(({ source }) => source.id)}::uuid[], ${column(({ url }) => url)}::text[],
            ${column(({ source, url }) => String(linkIdOf(source.id, url)))}::bigint[]
          ) as asked(project_id, campaign_id, message_id, url, id)
        ), existing as materialized (
          select ${links.id}, ${links.messageId}, ${links.url}, asked.hash
          from asked join ${links}
            on ${links.messageId} = asked.message_id and md5(${links.url}) = asked.hash
        ), added as (
          ${insertSelected(links, {
            id: sql`id`,
            projectId: sql`project_id`,
            campaignId: sql`campaign_id`,
            messageId: sql`message_id`,
            url: sql`url`,
          })} from asked
          where not exists (select from existing
            where existing.message_id = asked.message_id and existing.hash = asked.hash)
          -- Another link's id, by a chance that hardly comes: this one stays untracked.
          and not exists (select from ${links} where ${links.id} = asked.id)
          order by message_id, hash
          -- Another process was first: the row is written as it is, since only then does it come back.
          on conflict (${columns(links.messageId)}, md5(${columns(links.url)}))
            do update set ${assignments(links, { url: sql`${links.url}` })}
          returning ${links.id}, ${links.messageId}, ${links.url}
        )
        select id::text as id, message_id, url from existing
        union all select id::text, message_id, url from added`,
    ),
  );
  // By the address itself: a different one with the same MD5 stays untracked.
  const ids = new Map(
    rows.map(({ id, message_id: message, url }) => [keyOf(message, url), BigInt(id)]),
  );
  return asked.map(({ source, url }) => ({ id: ids.get(keyOf(source.id, url)) ?? null }));
}
