import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { coalesce } from "@/lib/ground/coalesce";

/** The message whose links are tracked. The object is what the addresses already known hang on. */
export interface LinkSource {
  id: string;
  projectId: string;
  campaignId: string | null;
}

interface Wanted {
  source: LinkSource;
  url: string;
}

const longestUrl = 8_000;
/** Addresses kept in memory over all messages, in characters: those made per recipient have no end. */
const keptCharacters = 16_000_000;

/**
 * Gives each address in a message its row in `links`: once per message, however many get it, and in few
 * statements where each recipient has their own.
 */
export class LinkRegistry {
  readonly #register: (wanted: Wanted) => Promise<number | null>;
  #known = new WeakMap<LinkSource, Map<string, number | null>>();
  #characters = 0;

  constructor(db: Database) {
    this.#register = coalesce((wanted: Wanted[]) => registerLinks(db, wanted));
  }

  /** `links.id` by address; null or absent for what cannot be tracked. */
  async idsOf(
    source: LinkSource,
    urls: Iterable<string>,
  ): Promise<ReadonlyMap<string, number | null>> {
    const known = this.#knownOf(source);
    // Its own answer: what is kept may be emptied by another's before this one is read, and holds the
    // addresses of all recipients.
    const found = new Map<string, number | null>();
    await Promise.all(
      [...new Set(urls)].map(async (url) => {
        let id = known.get(url);
        if (id === undefined) {
          id = url.length > longestUrl ? null : await this.#register({ source, url });
          this.#keep(source, url, id);
        }
        found.set(url, id);
      }),
    );
    return found;
  }

  #knownOf(source: LinkSource): Map<string, number | null> {
    let known = this.#known.get(source);
    if (!known) this.#known.set(source, (known = new Map<string, number | null>()));
    return known;
  }

  #keep(source: LinkSource, url: string, id: number | null): void {
    this.#characters += url.length + 100;
    if (this.#characters > keptCharacters) {
      this.#known = new WeakMap();
      this.#characters = url.length + 100;
    }
    this.#knownOf(source).set(url, id);
  }
}

async function registerLinks(db: Database, wanted: Wanted[]): Promise<(number | null)[]> {
  const keyOf = (messageId: string, url: string) => `${messageId} ${url}`;
  const distinct = [...new Map(wanted.map((one) => [keyOf(one.source.id, one.url), one])).values()];
  const w = <Value>(read: (one: Wanted) => Value) => sql.param(distinct.map(read));
  const rows = await retryConflicts(() =>
    executePrepared<{ id: number; message_id: string; url: string }>(
      db,
      sql`with given as materialized (
          select *, md5(url) as hash from unnest(
            ${w(({ source }) => source.projectId)}::uuid[],
            ${w(({ source }) => source.campaignId)}::uuid[],
            ${w(({ source }) => source.id)}::uuid[], ${w(({ url }) => url)}::text[]
          ) as given(project_id, campaign_id, message_id, url)
        ), known as materialized (
          select links.id, links.message_id, links.url, given.hash
          from given join links
            on links.message_id = given.message_id and md5(links.url) = given.hash
        ), made as (
          insert into links (project_id, campaign_id, message_id, url)
          select project_id, campaign_id, message_id, url from given
          where not exists (select from known
            where known.message_id = given.message_id and known.hash = given.hash)
          order by message_id, hash
          -- Another process was first: written again as it is, since only then the row comes back.
          on conflict (message_id, md5(url)) do update set url = links.url
          returning id, message_id, url
        )
        select id::float8 as id, message_id, url from known
        union all select id::float8, message_id, url from made`,
    ),
  );
  // By the address itself: another one with the same MD5 stays untracked.
  const ids = new Map(rows.map(({ id, message_id: message, url }) => [keyOf(message, url), id]));
  return wanted.map(({ source, url }) => ids.get(keyOf(source.id, url)) ?? null);
}
