import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { columns, fixed } from "@/db/names";
import { emailQueue } from "@/db/schema";
import {
  awakeByPlace,
  awakeOfCampaigns,
  awakeOutsideCampaigns,
} from "@/lib/ground/queue/email-queue";
import type { Part } from "./part";

/*
 * A lane is one campaign's mail, or a project's mail outside campaigns. A worker remembers, for each lane with
 * mail, a place before which nothing waits, and starts there: while an old snapshot is open (a backup),
 * the rows of mail that has left cannot be removed, and walking past them costs more with each mail.
 *
 * Nothing is missed: mail becomes claimable under the id of the transaction that makes it so. Anything new since the last look belongs to a transaction that was open then, or had not begun.
 */

export type LaneKind = "transactional" | "campaigns";

/** A lane with mail, and where the first of it is. */
export interface Lane {
  /** uuid of the project or campaign. */
  id: string;
  place: string;
  emailId: string;
}

interface LaneRow extends Record<string, unknown> {
  kind: LaneKind | null;
  id: string;
  place: string;
  email_id: string;
  /** Which transactions had ended, as the text of a pg_snapshot. */
  seen: string;
}

const { campaignId, projectId, place, emailId } = emailQueue;
const ofProject = columns(projectId, place, emailId);
const ofCampaign = columns(campaignId, place, emailId);
const ofFresh = columns(projectId, campaignId, place);

/** The first mail of every lane, by skipping from one lane to the next. */
const allLanes = fixed(sql`
  with recursive project as (
    (select ${ofProject} from ${emailQueue} where ${awakeOutsideCampaigns}
     order by ${ofProject} limit 1)
    union all
    select next.* from project cross join lateral (
      select ${ofProject} from ${emailQueue}
      where ${awakeOutsideCampaigns} and ${projectId} > project.project_id
      order by ${ofProject} limit 1
    ) next
  ), campaign as (
    (select ${ofCampaign} from ${emailQueue} where ${awakeOfCampaigns}
     order by ${ofCampaign} limit 1)
    union all
    select next.* from campaign cross join lateral (
      select ${ofCampaign} from ${emailQueue}
      where ${awakeOfCampaigns} and ${campaignId} > campaign.campaign_id
      order by ${ofCampaign} limit 1
    ) next
  ), lane as (
    select 'transactional' as kind, project_id as id, place, email_id from project
    union all
    select 'campaigns', campaign_id, place, email_id from campaign
  )
  select lane.*, pg_current_snapshot()::text as seen from (select) as look left join lane on true`);

const nothingBefore = "00000000-0000-0000-0000-000000000000";

/**
 * Where the new mail of each lane begins: only its place, because a lot of mail arriving at once shares one place
 * and takes long to sort. Places from the future are those of another cluster, restored.
 */
const lanesSince = (seen: string) => sql`
  with fresh as (
    select ${ofFresh} from ${emailQueue}
    where ${awakeByPlace} and ${place} >= pg_snapshot_xmax(${seen}::pg_snapshot)
      and ${place} < pg_snapshot_xmax(pg_current_snapshot())
    union all
    select ${ofFresh} from ${emailQueue}
    where ${awakeByPlace} and ${place} = any(array(select pg_snapshot_xip(${seen}::pg_snapshot)))
  ), places as (
    select ${ofFresh} from fresh group by ${ofFresh}
  ), lane as (
    select distinct on (kind, id) kind, id, place, ${nothingBefore}::uuid as email_id from (
      select case when campaign_id is null then 'transactional' else 'campaigns' end as kind,
        coalesce(campaign_id, project_id) as id, place from places
    ) named
    order by kind, id, place
  )
  select lane.*, pg_current_snapshot()::text as seen from (select) as look left join lane on true`;

const newestOf = (seen: string) => BigInt(seen.split(":")[1] ?? "0");

/** How often all lanes are read again: if a place is ever wrong, its mail is late, not lost. */
const wholeLookMilliseconds = 300_000;

/** The lanes with mail, as far as this process knows. */
export class Lanes {
  readonly #lanes = {
    transactional: new Map<string, Lane>(),
    campaigns: new Map<string, Lane>(),
  };
  #seen: string | null = null;
  #nextWholeLook = 0;

  /** Finds the lanes of all mail that has become claimable since the last look. */
  async look(db: Database): Promise<void> {
    if (this.#seen === null) return this.#lookAtAll(db);
    const rows = await executePrepared<LaneRow>(db, lanesSince(this.#seen));
    const seen = rows[0]?.seen ?? this.#seen;
    // Time went backwards: this is a different database, restored from a backup.
    if (newestOf(seen) < newestOf(this.#seen)) return this.#lookAtAll(db);
    this.#note(rows);
    this.#seen = seen;
    if (performance.now() < this.#nextWholeLook) return;
    this.#nextWholeLook = performance.now() + wholeLookMilliseconds;
    executePrepared<LaneRow>(db, allLanes).then(
      (all) => this.#note(all),
      // The database is away: the next claim says so.
      () => {},
    );
  }

  async #lookAtAll(db: Database): Promise<void> {
    this.#nextWholeLook = performance.now() + wholeLookMilliseconds;
    const rows = await executePrepared<LaneRow>(db, allLanes);
    for (const lanesById of Object.values(this.#lanes)) lanesById.clear();
    this.#note(rows);
    this.#seen = rows[0]?.seen ?? null;
  }

  #note(rows: readonly LaneRow[]): void {
    for (const { kind, id, place: from, email_id: first } of rows) {
      if (kind === null) continue;
      const before = this.#lanes[kind].get(id);
      const lane = { id, place: from, emailId: first };
      // Set again even if unchanged: a claim in between may not have seen this mail.
      this.#lanes[kind].set(id, before && !isBefore(lane, before) ? { ...before } : lane);
    }
  }

  /** The lanes of the kind, with the one asked last at the end. */
  of(kind: LaneKind): Lane[] {
    return [...this.#lanes[kind].values()];
  }

  /** Records the lanes' answers: `fronts` are the first mails of those that still have some. */
  answered(kind: LaneKind, asked: readonly Lane[], fronts: readonly Lane[]): void {
    const lanesById = this.#lanes[kind];
    const frontOf = new Map(fronts.map((front) => [front.id, front]));
    for (const lane of asked) {
      const current = lanesById.get(lane.id);
      const front = current === lane ? frontOf.get(lane.id) : current;
      lanesById.delete(lane.id);
      if (front) lanesById.set(lane.id, front);
    }
  }
}

function isBefore(lane: Lane, other: Lane): boolean {
  const [place, otherPlace] = [BigInt(lane.place), BigInt(other.place)];
  // uuids in lower case sort as the database sorts them.
  return place === otherPlace ? lane.emailId < other.emailId : place < otherPlace;
}

const lanesOf = new WeakMap<Database, Map<string, Lanes>>();

/** The lanes of a part's mail, as this process knows them of a database: others' mail begins elsewhere. */
export function knownLanes(db: Database, { receivers }: Part): Lanes {
  const ofParts = lanesOf.get(db) ?? new Map<string, Lanes>();
  lanesOf.set(db, ofParts);
  const key = JSON.stringify(receivers);
  const lanes = ofParts.get(key) ?? new Lanes();
  ofParts.set(key, lanes);
  return lanes;
}
