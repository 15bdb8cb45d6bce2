import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { executePrepared, type Database } from "@/db/client";
import { assignments, fixed } from "@/db/names";
import { campaigns, emailQueue, emails } from "@/db/schema";
import {
  addressedEmailColumns,
  addressedPersonColumns,
  toAddressedEmail,
  type AddressedRow,
} from "@/lib/domain/emails/addressed";
import { newId } from "@/lib/ground/ids/ids";
import { awakeOfCampaigns, awakeOutsideCampaigns, queuedIn } from "@/lib/ground/queue/email-queue";
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";
import { knownLanes, type Lane, type LaneKind } from "./lanes";
import { notedRefusals, refusalJoins, refusalOf, refusedColumns } from "./refusals";

/** An email this process may hand over, until its lease ends. */
export interface ClaimedEmail extends AddressedEmail {
  /** Results are recorded only while the row still carries it. */
  leaseId: string;
  /** Including this attempt. */
  attempts: number;
  /** Of them, how many ended with their worker. */
  interrupted: number;
}

interface ClaimedRow extends AddressedRow {
  recipient: string;
  attempts: number;
  interrupted: number;
  lane: string;
  share: number;
  refusal: string | null;
  /** Where the lanes begin that still have mail; on the first row alone. */
  fronts: { id: string; place: string; email: string }[] | null;
}

const { projectId, campaignId, place, emailId, leaseId, leaseUntil, unfinishedClaims } = emailQueue;
const { interruptedAttempts } = emailQueue;
/** Emails whose worker has died twice in a row. */
export const suspect = sql`${leaseId} is not null and ${unfinishedClaims} > 0`;
/** Is waiting, or its lease expired so long ago that its worker can be presumed dead. */
const notHeld = (expiredSeconds: number) => sql`(${leaseId} is null or ${unfinishedClaims} = 0
  and ${leaseUntil} <= app_now() - make_interval(secs => ${expiredSeconds}::float8))`;
const inOrder = fixed(sql`order by ${place}, ${emailId}`);

interface Terms {
  lanes: readonly Lane[];
  limit: number;
  /** What others hold is claimed when its lease ended so long ago. */
  expiredSeconds: number;
  /** null: all; else the uuids of those whose mail may be claimed. */
  projects: readonly string[] | null;
}

/** `front`: the lanes that have mail, where it begins, and where what may be claimed does. */
const fronts = (ofLane: SQL, { lanes, expiredSeconds }: Terms) => {
  const column = (read: (lane: Lane) => string) => sql.param(lanes.map(read));
  return sql`
  front as materialized (
    select lane.id, first.place, first.email_id, due.place as due_place, due.email_id as due_email
    from unnest(${column(({ id }) => id)}::uuid[], ${column((lane) => lane.place)}::text[],
      ${column((lane) => lane.emailId)}::uuid[]) as lane(id, place, email_id)
    cross join lateral (
      select ${place}, ${emailId} from ${emailQueue}
      where ${ofLane} = lane.id and (${place}, ${emailId}) >= (lane.place::xid8, lane.email_id)
      ${inOrder} limit 1
    ) first left join lateral (
      select ${place}, ${emailId} from ${emailQueue}
      where ${ofLane} = lane.id and (${place}, ${emailId}) >= (first.place, first.email_id)
        and ${notHeld(expiredSeconds)}
      ${inOrder} limit 1
    ) due on true
  )`;
};

/** `picked`: the share of each lane that is ready. */
const picked = (ofLane: SQL, { limit, expiredSeconds }: Terms) => sql`
  picked as materialized (
    select mail.email_id, ready.id as lane, ready.share, ready.list_id
    from ready cross join lateral (
      select ${emailId} from ${emailQueue}
      where ${ofLane} = ready.id and (${place}, ${emailId}) >= (ready.due_place, ready.due_email)
        and ${notHeld(expiredSeconds)}
      ${inOrder} limit ready.share
      for update skip locked
    ) mail limit ${limit}
  )`;

const ofProject = sql`${awakeOutsideCampaigns} and ${projectId}`;
const ofCampaign = sql`${awakeOfCampaigns} and ${campaignId}`;

/** Whether it is one of the projects whose mail may be claimed. */
const among = (projects: readonly string[] | null, project: PgColumn) =>
  projects === null ? sql`true` : sql`${project} = any(${sql.param(projects)}::uuid[])`;

/** Mail outside campaigns: each project with mail that may be claimed gets an equal share. */
const ofProjects = (terms: Terms) => sql`
  ${fronts(ofProject, terms)}, ready as (
    select id, due_place, due_email, null::uuid as list_id,
      ceil(${terms.limit}::numeric / count(*) over ())::int as share
    from front where due_email is not null
    order by random() limit ${terms.limit}
  ), ${picked(ofProject, terms)}`;

/*
 * Campaign mail. Those that may not send cost a step each, however much of theirs waits. Equal shares to
 * the projects, within a project to its campaigns. One that is SENT still has its later tries.
 */
const ofCampaigns = (terms: Terms) => sql`
  ${fronts(ofCampaign, terms)}, sending as materialized (
    select front.*, ${campaigns.projectId}, ${campaigns.listId}
    from front join ${campaigns} on ${campaigns.id} = front.id
    where due_email is not null and ${campaigns.status} in ('SENDING', 'SENT')
      and ${among(terms.projects, campaigns.projectId)}
  ), ready as (
    select id, due_place, due_email, list_id,
      ceil(${terms.limit}::numeric / (select count(distinct project_id) from sending)
        / count(*) over (partition by project_id))::int as share
    from sending
    order by row_number() over (partition by project_id order by random()), random()
    limit ${terms.limit}
  ), ${picked(ofCampaign, terms)}`;

const ofSuspects = ({ limit, expiredSeconds, projects }: Terms) => sql`
  front as (
    select null::uuid as id, null::xid8 as place, null::uuid as email_id where false
  ), picked as materialized (
    select ${emailId}, ${emailId} as lane, 1 as share, ${campaigns.listId}
    from ${emailQueue} left join ${campaigns} on ${campaigns.id} = ${campaignId}
    where ${suspect} and ${leaseUntil} <= app_now() - make_interval(secs => ${expiredSeconds}::float8)
      and (${campaignId} is null or ${campaigns.status} in ('SENDING', 'SENT'))
      and ${among(projects, emailQueue.projectId)}
    order by ${leaseUntil} limit ${limit}
    for update of ${emailQueue} skip locked
  )`;

const picks: Record<LaneKind | "suspects", (terms: Terms) => SQL> = {
  transactional: ofProjects,
  campaigns: ofCampaigns,
  suspects: ofSuspects,
};

/** `checked`: what was picked, its person, and why they must not get it. A row without its email goes. */
const checked = fixed(sql`
  record as materialized (
    select picked.email_id, picked.lane, picked.share, picked.list_id, ${addressedEmailColumns},
      ${emails.contactId}, ${emails.status}, ${emails.sentAt}
    from picked left join ${emails} on ${emails.id} = picked.email_id
  ), checked as materialized (
    select record.*, ${addressedPersonColumns}, ${refusalOf("record")} as refusal
    from record ${refusalJoins("record")}
  )`);

/** `claimed`: what may go, leased. */
const claimed = (newLease: string, leaseSeconds: number) => sql`
  claimed as (
    update ${emailQueue} set ${assignments(emailQueue, {
      leaseId: sql`${newLease}::uuid`,
      leaseUntil: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
      attempts: sql`${emailQueue.attempts} + 1`,
      unfinishedClaims: sql`case when ${leaseId} is null then 0 else ${unfinishedClaims} + 1 end`,
      interruptedAttempts: sql`${interruptedAttempts} + (${leaseId} is not null)::int`,
    })}
    where ${queuedIn("checked", "email_id", sql`refusal is null`)}
    returning ${emailId}, ${emailQueue.attempts}, ${interruptedAttempts} as interrupted
  )`;

/** What may not go leaves the queue and ends FAILED. */
const refused = fixed(sql`
  gone as (
    delete from ${emailQueue}
    where ${queuedIn("checked", "email_id", sql`refusal is not null`)}
    returning ${emailId}, ${emailQueue.attempts}
  ), withheld as (
    update ${emails} set ${assignments(emails, { ...refusedColumns, attempts: sql`gone.attempts` })}
    from gone join checked using (email_id) where ${emails.id} = gone.email_id
    returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
      checked.refusal, checked.sent_at as was_sent_at
  ), ${notedRefusals("withheld")}`);

const answer = fixed(sql`
  select checked.*, claimed.attempts, claimed.interrupted, case when row_number() over () = 1 then (
      select jsonb_agg(jsonb_build_object('id', id, 'place', place::text, 'email', email_id))
      from front) end as fronts
  from (select) as answer
    left join (checked left join claimed on claimed.email_id = checked.email_id) on true`);

interface Turn {
  emails: ClaimedEmail[];
  refused: number;
  /** Some project or campaign got all of its share. */
  more: boolean;
  /** Where the lanes begin that still have mail. */
  fronts: Lane[];
}

/*
 * One statement: picks in turns, passes over rows that another worker holds, and looks again at who may
 * get it. Who was suppressed meanwhile, left (campaigns), or was deleted, ends FAILED here.
 */
async function claimFrom(
  db: Database,
  kind: LaneKind | "suspects",
  lanes: readonly Lane[],
  { limit, leaseSeconds, expiredSeconds = 0, projects = null }: LeaseOptions & { limit: number },
): Promise<Turn> {
  const newLease = newId();
  const rows = await executePrepared<ClaimedRow>(
    db,
    sql`with ${picks[kind]({ lanes, limit, expiredSeconds, projects })}, ${checked},
      ${claimed(newLease, leaseSeconds)}, ${refused} ${answer}`,
  );
  const found = rows.filter(({ lane }) => lane !== null);
  const free = found.filter((row) => row.refusal === null);
  return {
    emails: free.map((row) => ({
      ...toAddressedEmail(row),
      leaseId: newLease,
      attempts: row.attempts,
      interrupted: row.interrupted,
    })),
    refused: found.length - free.length,
    more: shareUsedUp(found),
    fronts: (rows[0]?.fronts ?? []).map(({ email, ...front }) => ({ ...front, emailId: email })),
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
  /** Claims mail of these alone, by their uuids; null: of all. */
  projects?: readonly string[] | null;
}

export interface ClaimOptions extends LeaseOptions {
  limit: number;
  /** False: only what is no campaign's. */
  campaigns?: boolean;
  /** Of the limit, what is kept for campaigns however much other mail is due. */
  keptForCampaigns?: number;
}

/** Lanes that one statement asks: more of them take their turn in the next. */
const lanesAtOnce = 500;

/**
 * Claims up to `limit` due emails for `leaseSeconds`, transactional ones first, in turns over the
 * projects and their campaigns.
 */
export async function claimEmails(
  db: Database,
  { limit, campaigns = true, keptForCampaigns = 0, ...lease }: ClaimOptions,
): Promise<ClaimedMail> {
  const lanes = knownLanes(db);
  await lanes.look(db);
  const mail: ClaimedEmail[] = [];
  let refused = 0;
  /** Asks every lane of the kind once, from where the last claim ended, and again while some have more. */
  const claim = async (kind: LaneKind, most: number): Promise<void> => {
    const known = lanes.of(kind);
    const { projects = null } = lease;
    const all =
      kind === "campaigns" || projects === null
        ? known
        : known.filter(({ id }) => projects.includes(id));
    for (let from = 0; from < all.length; from += lanesAtOnce) {
      let asked = all.slice(from, from + lanesAtOnce);
      for (let more = true; more && asked.length > 0;) {
        const left = most - mail.length - refused;
        if (left <= 0) return;
        const turn = await claimFrom(db, kind, asked, { ...lease, limit: left });
        mail.push(...turn.emails);
        refused += turn.refused;
        lanes.answered(kind, asked, turn.fronts);
        asked = turn.fronts;
        // What a lane with little mail leaves of its share goes to the others asked with it first.
        more = turn.more;
      }
    }
  };
  if (keptForCampaigns > 0) await claim("campaigns", Math.min(keptForCampaigns, limit));
  await claim("transactional", limit);
  const leftRoom = mail.length + refused < limit;
  if (campaigns) await claim("campaigns", limit);
  return { emails: mail, refused, leftRoom };
}

/** Claims one email that is to be worked on while nothing else is; `refused` counts as for claimEmails. */
export async function claimSuspect(
  db: Database,
  options: LeaseOptions,
): Promise<{ emails: ClaimedEmail[]; refused: number }> {
  return claimFrom(db, "suspects", [], { ...options, limit: 1 });
}
