import { sql, type SQL } from "drizzle-orm";
import { assignments, fixed } from "@/db/names";
import { campaigns, emailQueue, emails } from "@/db/schema";
import { addressedEmailColumns, addressedPersonColumns } from "@/lib/domain/emails/addressed";
import { awakeOfCampaigns, awakeOutsideCampaigns, queuedIn } from "@/lib/ground/queue/email-queue";
import { charged, mayGo, pacesOf } from "@/lib/ground/queue/project-pace";
import type { Lane, LaneKind } from "./lanes";
import { ofPart, toReceivers, type Part } from "./part";
import { notedRefusals, refusalJoins, refusalOf, refusedColumns } from "./refusals";

/*
 * The parts of the statement that claims mail: where the lanes begin, what each yields, who may and may not get
 * their mail, and what becomes of both.
 */

const { projectId, campaignId, place, emailId, leaseId, leaseUntil, unfinishedClaims } = emailQueue;
const { interruptedAttempts } = emailQueue;
/** Emails whose worker has died twice in a row. */
export const suspect = sql`${leaseId} is not null and ${unfinishedClaims} > 0`;
/** Is waiting, or its lease expired so long ago that its worker can be presumed dead. */
const notHeld = (expiredSeconds: number) => sql`(${leaseId} is null or ${unfinishedClaims} = 0
  and ${leaseUntil} <= app_now() - make_interval(secs => ${expiredSeconds}::float8))`;
const inOrder = fixed(sql`order by ${place}, ${emailId}`);

export interface ClaimTerms {
  lanes: readonly Lane[];
  limit: number;
  /** Mail held by others is claimed when its lease ended this long ago. */
  expiredSeconds: number;
  /** Whose mail may be claimed. */
  part: Part;
}

/**
 * `front`: the lanes that have mail of the part, where it begins, and where what may be claimed does. What waits before
 * it for others is not walked past again, but with the next look at all lanes.
 */
const fronts = (ofLane: SQL, { lanes, expiredSeconds, part }: ClaimTerms) => {
  const column = (read: (lane: Lane) => string) => sql.param(lanes.map(read));
  return sql`
  front as materialized (
    select lane.id, first.place, first.email_id, due.place as due_place, due.email_id as due_email
    from unnest(${column(({ id }) => id)}::uuid[], ${column((lane) => lane.place)}::text[],
      ${column((lane) => lane.emailId)}::uuid[]) as lane(id, place, email_id)
    cross join lateral (
      select ${place}, ${emailId} from ${emailQueue}
      where ${ofLane} = lane.id and (${place}, ${emailId}) >= (lane.place::xid8, lane.email_id)${toReceivers(part)}
      ${inOrder} limit 1
    ) first left join lateral (
      select ${place}, ${emailId} from ${emailQueue}
      where ${ofLane} = lane.id and (${place}, ${emailId}) >= (first.place, first.email_id)
        and ${notHeld(expiredSeconds)}${toReceivers(part)}
      ${inOrder} limit 1
    ) due on true
  )`;
};

/** `picked`: the share of each lane that is ready. */
const picked = (ofLane: SQL, { limit, expiredSeconds, part }: ClaimTerms) => sql`
  picked as materialized (
    select mail.email_id, ready.id as lane, ready.share, ready.list_id,
      coalesce(mail.send_before, ready.send_before) <= app_now() as late
    from ready cross join lateral (
      select ${emailId}, ${emailQueue.sendBefore} from ${emailQueue}
      where ${ofLane} = ready.id and (${place}, ${emailId}) >= (ready.due_place, ready.due_email)
        and ${notHeld(expiredSeconds)}${toReceivers(part)}
      ${inOrder} limit ready.share
      for update skip locked
    ) mail limit ${limit}
  )`;

const ofProject = sql`${awakeOutsideCampaigns} and ${projectId}`;
const ofCampaign = sql`${awakeOfCampaigns} and ${campaignId}`;

/** Mail outside campaigns: each project with mail that may be claimed gets an equal share. */
const ofProjects = (terms: ClaimTerms) => sql`
  ${fronts(ofProject, terms)}, ready as (
    select id, due_place, due_email, null::uuid as list_id, null::timestamptz as send_before,
      ceil(${terms.limit}::numeric / count(*) over ())::int as share
    from front where due_email is not null
    order by random() limit ${terms.limit}
  ), ${picked(ofProject, terms)}`;

/*
 * Campaign mail. Campaigns that may not send cost one step each, however much of their mail is waiting. Projects
 * get equal shares, as do the campaigns of a project; a project with a pace gets no more than the pace has left.
 * A campaign that is SENT may still have retries.
 */
const ofCampaigns = (terms: ClaimTerms) => sql`
  ${fronts(ofCampaign, terms)}, sending as materialized (
    select front.*, ${campaigns.projectId}, ${campaigns.listId}, ${campaigns.sendBefore}
    from front join ${campaigns} on ${campaigns.id} = front.id
    where due_email is not null and ${campaigns.status} in ('SENDING', 'SENT')
      and ${ofPart(terms.part, campaigns.projectId)}
  ), ${pacesOf("sending")}, able as materialized (
    select sending.*, floor(paced.allowed)::int as allowed
    from sending left join paced on paced.project_id = sending.project_id
    where ${mayGo(sql`sending.project_id`)}
  ), turns as (
    select able.*, row_number() over (partition by project_id order by random()) as turn,
      count(*) over (partition by project_id) as lanes,
      ceil(${terms.limit}::numeric / (select count(distinct project_id) from able)
        / count(*) over (partition by project_id))::int as share
    from able
  ), ready as (
    select id, due_place, due_email, list_id, send_before, least(share, case
      when allowed is not null then allowed / lanes + (turn <= allowed % lanes)::int end)::int as share
    from turns
    order by turn, random() limit ${terms.limit}
  ), ${picked(ofCampaign, terms)}`;

/** SQL: the mail that two workers have died with and that may be worked on, with its campaign, if it has one. */
export const suspectsOf = ({ expiredSeconds, part }: Pick<ClaimTerms, "expiredSeconds" | "part">) =>
  sql`${emailQueue} left join ${campaigns} on ${campaigns.id} = ${campaignId}
    where ${suspect} and ${leaseUntil} <= app_now() - make_interval(secs => ${expiredSeconds}::float8)
      and (${campaignId} is null or ${campaigns.status} in ('SENDING', 'SENT'))
      and ${ofPart(part, emailQueue.projectId)}${toReceivers(part)}`;

const ofSuspects = (terms: ClaimTerms) => sql`
  front as (
    select null::uuid as id, null::xid8 as place, null::uuid as email_id where false
  ), picked as materialized (
    select ${emailId}, ${emailId} as lane, 1 as share, ${campaigns.listId},
      coalesce(${emailQueue.sendBefore}, ${campaigns.sendBefore}) <= app_now() as late
    from ${suspectsOf(terms)}
    order by ${leaseUntil} limit ${terms.limit}
    for update of ${emailQueue} skip locked
  )`;

const picks: Record<LaneKind | "suspects", (terms: ClaimTerms) => SQL> = {
  transactional: ofProjects,
  campaigns: ofCampaigns,
  suspects: ofSuspects,
};

/** `checked`: picked mail, its person, and why they must not get it. A row without its email is deleted. */
const checked = fixed(sql`
  record as materialized (
    select picked.email_id, picked.lane, picked.share, picked.list_id, picked.late, ${addressedEmailColumns},
      ${emails.contactId}, ${emails.status}
    from picked left join ${emails} on ${emails.id} = picked.email_id
  ), checked as materialized (
    select record.*, ${addressedPersonColumns(sql`record`, sql`record.list_id`)}, ${refusalOf("record")} as refusal
    from record ${refusalJoins("record")}
  )`);

/** `claimed`: mail that may go, leased. */
const claimed = (newLease: string, leaseSeconds: number) => sql`
  claimed as (
    update ${emailQueue} set ${assignments(emailQueue, {
      leaseId: sql`${newLease}::uuid`,
      leaseUntil: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
      attempts: sql`${emailQueue.attempts} + 1`,
      begunAt: sql`coalesce(${emailQueue.begunAt}, app_now())`,
      unfinishedClaims: sql`case when ${leaseId} is null then 0 else ${unfinishedClaims} + 1 end`,
      interruptedAttempts: sql`${interruptedAttempts} + (${leaseId} is not null)::int`,
    })}
    where ${queuedIn("checked", "email_id", sql`refusal is null`)}
    returning ${emailId}, ${emailQueue.attempts}, ${emailQueue.begunAt}, ${interruptedAttempts} as interrupted
  )`;

/** Mail that may not go leaves the queue and ends as FAILED. */
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
  select checked.*, claimed.attempts, claimed.interrupted, claimed.begun_at, case when row_number() over () = 1 then (
      select jsonb_agg(jsonb_build_object('id', id, 'place', place::text, 'email', email_id))
      from front) end as fronts
  from (select) as answer
    left join (checked left join claimed on claimed.email_id = checked.email_id) on true`);

/**
 * How much of their project's pace campaigns' mail uses; mail that workers died with was counted when they started
 * it.
 */
const charge = sql`, ${fixed(sql`
  spent as (
    select checked.project_id from claimed join checked using (email_id)
  ), ${charged("spent")}`)}`;

/** Claims due mail of the kind, leased as `lease.id`; mail that people may not get ends. */
export function claimStatement(
  kind: LaneKind | "suspects",
  terms: ClaimTerms,
  lease: { id: string; seconds: number },
): SQL {
  return sql`with ${picks[kind](terms)}, ${checked}, ${claimed(lease.id, lease.seconds)},
    ${refused}${kind === "campaigns" ? charge : sql``} ${answer}`;
}
