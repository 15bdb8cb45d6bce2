import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments, columns } from "@/db/names";
import { campaigns, emails } from "@/db/schema";
import {
  addressedEmailColumns,
  addressedPersonColumns,
  toAddressedEmail,
  type AddressedRow,
} from "@/lib/domain/emails/addressed";
import { newId } from "@/lib/ground/ids/ids";
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";
import { notedRefusals, refusalJoins, refusalOf, refusedColumns } from "./refusals";

/** An email this process may hand over, until its lease ends. */
export interface ClaimedEmail extends AddressedEmail {
  /** Results are recorded only while the row still carries it. */
  leaseId: string;
  /** Including this attempt. */
  attempts: number;
}

interface ClaimedRow extends AddressedRow {
  recipient: string;
  attempts: number;
  lane: string;
  share: number;
  refusal: string | null;
  walked_to: string | null;
}

type Lane = "transactional" | "campaigns" | "suspects";

const { projectId, campaignId, dueAt, leaseId, unfinishedClaims } = emails;
/** What refusalOf asks about. */
const pickedColumns = columns(
  ...[emails.id, projectId, emails.contactId, campaignId, emails.recipient],
  ...[emails.source, emails.status, emails.sentAt],
);
/** Emails whose worker has died twice in a row: the condition of the index emails_suspect. */
export const suspect = sql`${dueAt} is not null and ${leaseId} is not null and ${unfinishedClaims} > 0`;
/** Is waiting, or its lease expired so long ago that its worker can be presumed dead. */
const notHeld = (expiredSeconds: number) => sql`(${leaseId} is null or ${unfinishedClaims} = 0
  and ${dueAt} <= app_now() - make_interval(secs => ${expiredSeconds}::float8))`;
/** The conditions of the indexes emails_awake and emails_campaign_awake. */
const ofNoCampaign = sql`${dueAt} is not null and ${campaignId} is null and not ${emails.asleep}`;
const ofCampaign = sql`${dueAt} is not null and ${campaignId} is not null and not ${emails.asleep}`;

interface Terms {
  /** The project after which the walk goes on. */
  after: string;
  /** What others hold is claimed when its lease ended so long ago. */
  expiredSeconds: number;
}

/** Projects that one claim looks at: more of them take their turn in the next. */
const projectsAtOnce = 500;
const beforeAll = "00000000-0000-0000-0000-000000000000";

/*
 * Mail outside campaigns: the projects with mail that is due, or held by a worker, are found by skipping
 * from one to the next in the index emails_awake, from where the last claim ended; each gets an equal share.
 */
const ofProjects = (limit: number, { after, expiredSeconds }: Terms) => sql`
  lane as (
    (select ${columns(projectId, dueAt)} from ${emails}
     where ${ofNoCampaign} and ${projectId} > ${after}::uuid
     order by ${projectId}, ${dueAt} limit 1)
    union all
    select next.project_id, next.due_at
    from lane cross join lateral (
      select ${columns(projectId, dueAt)} from ${emails}
      where ${ofNoCampaign} and ${projectId} > lane.project_id
      order by ${projectId}, ${dueAt} limit 1
    ) next
  ), walked as materialized (
    select * from lane limit ${sql.raw(`${projectsAtOnce}`)}
  ), ready as (
    select project_id, ceil(${limit}::numeric / count(*) over ())::int as share
    from walked where due_at <= app_now()
    order by random() limit ${limit}
  ), picked as materialized (
    select due.*, ready.project_id as lane, ready.share, null::uuid as list_id
    from ready cross join lateral (
      select ${pickedColumns} from ${emails}
      where ${ofNoCampaign} and ${projectId} = ready.project_id and ${dueAt} <= app_now()
        and ${notHeld(expiredSeconds)}
      order by ${dueAt} limit ready.share
      for update skip locked
    ) due limit ${limit}
  )`;

/*
 * Campaign mail: the campaigns with mail that waits, found in the same way in emails_campaign_awake. Those
 * that may not send cost a step each, however much of theirs waits. Equal shares to the projects, within
 * a project to its campaigns. One that is SENT still has its later tries.
 */
const ofCampaigns = (limit: number, { expiredSeconds }: Terms) => sql`
  lane as (
    (select ${columns(campaignId, dueAt)} from ${emails}
     where ${ofCampaign} order by ${campaignId}, ${dueAt} limit 1)
    union all
    select next.campaign_id, next.due_at
    from lane cross join lateral (
      select ${columns(campaignId, dueAt)} from ${emails}
      where ${ofCampaign} and ${campaignId} > lane.campaign_id
      order by ${campaignId}, ${dueAt} limit 1
    ) next
  ), sending as materialized (
    select ${campaigns.id}, ${campaigns.projectId}, ${campaigns.listId}
    from lane join ${campaigns} on ${campaigns.id} = lane.campaign_id
    where lane.due_at <= app_now() and ${campaigns.status} in ('SENDING', 'SENT')
  ), ready as (
    select id, list_id, ceil(${limit}::numeric / (select count(distinct project_id) from sending)
      / count(*) over (partition by project_id))::int as share
    from sending
    order by row_number() over (partition by project_id order by random()), random()
    limit ${limit}
  ), picked as materialized (
    select due.*, ready.id as lane, ready.share, ready.list_id
    from ready cross join lateral (
      select ${pickedColumns} from ${emails}
      where ${ofCampaign} and ${campaignId} = ready.id and ${dueAt} <= app_now()
        and ${notHeld(expiredSeconds)}
      order by ${dueAt} limit ready.share
      for update skip locked
    ) due limit ${limit}
  )`;

const ofSuspects = (limit: number, { expiredSeconds }: Terms) => sql`
  picked as materialized (
    select ${emails.id}, ${projectId}, ${emails.contactId}, ${campaignId}, ${emails.recipient},
      ${emails.source}, ${emails.status}, ${emails.sentAt}, ${emails.id} as lane, 1 as share,
      ${campaigns.listId}
    from ${emails} left join ${campaigns} on ${campaigns.id} = ${campaignId}
    where ${suspect} and ${dueAt} <= app_now() - make_interval(secs => ${expiredSeconds}::float8)
      and (${campaignId} is null or ${campaigns.status} in ('SENDING', 'SENT'))
    order by ${dueAt} limit ${limit}
    for update of ${emails} skip locked
  )`;

/** The last project of a walk that ended before the last project. */
const walkedTo: Record<Lane, SQL> = {
  transactional: sql`(select project_id from walked offset ${sql.raw(`${projectsAtOnce - 1}`)})`,
  campaigns: sql`null::uuid`,
  suspects: sql`null::uuid`,
};

const lanes: Record<Lane, (limit: number, terms: Terms) => SQL> = {
  transactional: ofProjects,
  campaigns: ofCampaigns,
  suspects: ofSuspects,
};

interface Turn {
  emails: ClaimedEmail[];
  refused: number;
  /** Some project or campaign got all of its share. */
  more: boolean;
  /** The project that the walk ended at before its end. */
  walkedTo: string | null;
}

/*
 * One statement: picks in turns, passes over rows that another worker holds, and looks again at who may
 * get it. Who was suppressed meanwhile, left (campaigns), or was deleted, ends FAILED here.
 */
async function claimLane(
  db: Database,
  lane: Lane,
  { limit, leaseSeconds, expiredSeconds = 0 }: LeaseOptions & { limit: number },
  after = beforeAll,
): Promise<Turn> {
  const newLease = newId();
  const rows = await executePrepared<ClaimedRow>(
    db,
    sql`
    with recursive ${lanes[lane](limit, { after, expiredSeconds })}, checked as materialized (
      select picked.id, picked.lane, picked.share, picked.sent_at, ${addressedPersonColumns},
        ${refusalOf("picked")} as refusal
      from picked ${refusalJoins("picked")}
    ), claimed as (
      update ${emails} set ${assignments(emails, {
        ...refusedColumns,
        dueAt: sql`case when refusal is null then app_now() + make_interval(secs => ${leaseSeconds}) end`,
        leaseId: sql`case when refusal is null then ${newLease}::uuid end`,
        attempts: sql`${emails.attempts} + case when refusal is null then 1 else 0 end`,
        unfinishedClaims: sql`case when ${leaseId} is null then 0 else ${unfinishedClaims} + 1 end`,
      })}
      from checked where ${emails.id} = checked.id
      returning ${addressedEmailColumns}, ${emails.variant}, ${emails.attempts}, checked.contact_email,
        checked.first_name, checked.last_name, checked.tags, checked.data, checked.list_fields,
        checked.refusal, checked.lane, checked.share, checked.sent_at as was_sent_at
    ), ${notedRefusals("claimed")}
    select claimed.*, ${walkedTo[lane]} as walked_to from (select) one left join claimed on true`,
  );
  const picked = rows.filter(({ id }) => id !== null);
  const claimed = picked.filter((row) => row.refusal === null);
  return {
    emails: claimed.map((row) => ({
      ...toAddressedEmail(row),
      leaseId: newLease,
      attempts: row.attempts,
    })),
    refused: picked.length - claimed.length,
    more: shareUsedUp(picked),
    walkedTo: rows[0]?.walked_to ?? null,
  };
}

/** Whether some project or campaign got all of its share: it may have more that is due. */
function shareUsedUp(rows: readonly { lane: string; share: number }[]): boolean {
  const counts = new Map<string, number>();
  return rows.some(({ lane, share }) => {
    const count = (counts.get(lane) ?? 0) + 1;
    counts.set(lane, count);
    return count >= share;
  });
}

/** The project after which the walk over them goes on, for each pool. */
const walks = new WeakMap<Database, string>();

interface ClaimedMail {
  emails: ClaimedEmail[];
  /** Those that ended FAILED instead: they count towards the limit, so that they keep no other mail waiting. */
  refused: number;
  /** Mail outside campaigns was short of the limit. */
  leftRoom: boolean;
}

interface LeaseOptions {
  leaseSeconds: number;
  /** What others hold is claimed when its lease ended so long ago. */
  expiredSeconds?: number;
}

export interface ClaimOptions extends LeaseOptions {
  limit: number;
  /** False: only what is no campaign's. */
  campaigns?: boolean;
  /** Of the limit, what is kept for campaigns however much other mail is due. */
  keptForCampaigns?: number;
}

/**
 * Claims up to `limit` due emails for `leaseSeconds`, transactional ones first, in turns over the
 * projects and their campaigns.
 */
export async function claimEmails(
  db: Database,
  { limit, leaseSeconds, expiredSeconds, campaigns = true, keptForCampaigns = 0 }: ClaimOptions,
): Promise<ClaimedMail> {
  const claimed: ClaimedEmail[] = [];
  let refused = 0;
  const claimFrom = async (lane: Lane, most: number, after = beforeAll): Promise<Walk> => {
    for (let walkedTo: string | null = after; ;) {
      const left = most - claimed.length - refused;
      if (left <= 0) return { walkedTo, full: true };
      const turn = await claimLane(db, lane, { limit: left, leaseSeconds, expiredSeconds }, after);
      claimed.push(...turn.emails);
      refused += turn.refused;
      walkedTo = turn.walkedTo;
      // What a project with little mail leaves of its share goes to the others of the same lane first.
      if (!turn.more) return { walkedTo, full: false };
    }
  };
  if (keptForCampaigns > 0) await claimFrom("campaigns", Math.min(keptForCampaigns, limit));
  await walkProjects(db, (after) => claimFrom("transactional", limit, after));
  const leftRoom = claimed.length + refused < limit;
  if (campaigns) await claimFrom("campaigns", limit);
  return { emails: claimed, refused, leftRoom };
}

interface Walk {
  /** The project it ended at; null: the last one. */
  walkedTo: string | null;
  /** The limit is reached. */
  full: boolean;
}

/** Walks over the projects from where the last walk ended, once around at most. */
async function walkProjects(
  db: Database,
  claimAfter: (after: string) => Promise<Walk>,
): Promise<void> {
  const start = walks.get(db) ?? beforeAll;
  let after = start;
  for (let around = start === beforeAll; ;) {
    const { walkedTo, full } = await claimAfter(after);
    after = walkedTo ?? beforeAll;
    walks.set(db, after);
    if (full || (around && (after === beforeAll || after >= start))) return;
    around ||= after === beforeAll;
  }
}

/** Claims one email that is to be worked on while nothing else is; `refused` counts as for claimEmails. */
export async function claimSuspect(
  db: Database,
  options: LeaseOptions,
): Promise<{ emails: ClaimedEmail[]; refused: number }> {
  return claimLane(db, "suspects", { ...options, limit: 1 });
}
