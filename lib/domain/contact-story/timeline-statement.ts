import { sql, type SQL } from "drizzle-orm";
import {
  consentChanges,
  contactChanges,
  emails,
  formSignUps,
  inboundEmails,
  linkClicks,
  mergedContacts,
} from "@/db/schema";
import type { TimelineKind } from "./schema";
import { detailsOf } from "./timeline-details";
import { ownedBy } from "@/lib/ground/by-id";

/** Where a page of the timeline begins: just after this entry. */
export interface TimelinePlace {
  /** ISO, to the microsecond. */
  at: string;
  type: string;
  ref: string;
  link: string;
}

export interface TimelineRow extends Record<string, unknown> {
  at: string;
  type: string;
  /** The email, the change, the sign-up or the mail received. */
  ref: string;
  /** Of a click; "0" otherwise. */
  link: string;
  details: Record<string, unknown>;
}

interface Asked {
  projectId: string;
  /** uuids: the contact's, then those of contacts merged into it. */
  ids: readonly string[];
  /** The contact's, then those it had. */
  addresses: readonly string[];
  kinds: ReadonlySet<TimelineKind>;
  after: TimelinePlace | null;
  limit: number;
}

interface Source {
  kinds: readonly TimelineKind[];
  type: SQL;
  at: SQL;
  ref: SQL;
  link?: SQL;
  from: SQL;
}

const oneOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`;

/** Which of a table's rows belong to the kinds asked for; all of them when every kind is. */
function ofKinds(
  kinds: ReadonlySet<TimelineKind>,
  conditions: Partial<Record<TimelineKind, SQL>>,
): SQL {
  const wanted = Object.entries(conditions).filter(([kind]) => kinds.has(kind as TimelineKind));
  return wanted.length === Object.keys(conditions).length
    ? sql`true`
    : oneOf(wanted.map(([, condition]) => condition));
}

/**
 * Where entries of one of the ids come from, each read by an index on its contact: asked for all ids at once, an index
 * would no longer give them in order. Times of opening come from the emails and not from
 * their events: these would have to be looked up in every month's partition for every email, and go sooner.
 */
function sourcesOf(contactId: string, { projectId, kinds }: Asked): Source[] {
  const ofContact = sql`${emails.contactId} = ${contactId} and ${ownedBy(emails.projectId, projectId)}`;
  const outcomes = [
    ...(kinds.has("engagement") ? [sql`(${emails.openedAt}, 'opened')`] : []),
    ...(kinds.has("emails")
      ? [sql`(${emails.bouncedAt}, 'bounced')`, sql`(${emails.complainedAt}, 'complained')`]
      : []),
  ];
  const { importId, formId } = contactChanges;
  const isTag = sql`(${contactChanges.before} ? 'tags' or ${contactChanges.after} ? 'tags')`;
  const isField = sql`(${contactChanges.before} || ${contactChanges.after}) - 'tags' <> '{}'`;
  return [
    {
      kinds: ["emails"],
      ...{ type: sql`'email'`, at: sql`${emails.createdAt}`, ref: sql`${emails.id}` },
      from: sql`${emails} where ${ofContact}`,
    },
    {
      kinds: ["emails", "engagement"],
      ...{ type: sql`outcome.type`, at: sql`outcome.at`, ref: sql`${emails.id}` },
      from: sql`${emails} cross join lateral (values ${sql.join(outcomes, sql`, `)}) outcome(at, type)
        where ${ofContact} and outcome.at is not null`,
    },
    {
      kinds: ["engagement"],
      ...{ type: sql`'clicked'`, at: sql`${linkClicks.firstAt}`, ref: sql`${emails.id}` },
      link: sql`${linkClicks.linkId}`,
      from: sql`${emails} join ${linkClicks} on ${linkClicks.emailId} = ${emails.id}
        where ${ofContact} and ${emails.clickedAt} is not null`,
    },
    {
      kinds: ["lists", "consent", "forms"],
      ...{ type: sql`'subscription'`, at: sql`${consentChanges.createdAt}` },
      ref: sql`${consentChanges.id}`,
      from: sql`${consentChanges} where ${consentChanges.projectId} = ${projectId}
        and ${consentChanges.contactId} = ${contactId}
        and ${ofKinds(kinds, {
          lists: sql`${consentChanges.listId} is not null`,
          consent: sql`${consentChanges.listId} is null`,
          forms: sql`coalesce(${consentChanges.importId}, ${consentChanges.formId}) is not null`,
        })}
        -- What they changed stands in the change itself.
        and (${consentChanges.kind} not in ('name', 'address') or not exists (
          select from ${contactChanges} where ${contactChanges.contactId} = ${contactId}
            and ${contactChanges.createdAt} = ${consentChanges.createdAt}))`,
    },
    {
      kinds: ["lists", "changes", "forms"],
      ...{ type: sql`'changed'`, at: sql`${contactChanges.createdAt}` },
      ref: sql`${contactChanges.id}`,
      from: sql`${contactChanges} where ${contactChanges.contactId} = ${contactId}
        and ${ofKinds(kinds, {
          lists: isTag,
          changes: isField,
          forms: sql`coalesce(${importId}, ${formId}) is not null`,
        })}`,
    },
    {
      kinds: ["received"],
      ...{ type: sql`'received'`, at: sql`${inboundEmails.createdAt}` },
      ref: sql`${inboundEmails.id}`,
      from: sql`${inboundEmails} where ${inboundEmails.contactId} = ${contactId}
        and ${ownedBy(inboundEmails.projectId, projectId)}`,
    },
  ];
}

/** Where entries come from that stand under an address, or under the contact that is there now. */
function otherSourcesOf({ projectId, ids, addresses }: Asked): Source[] {
  return [
    ...addresses.map((address) => ({
      kinds: ["forms"] as const,
      ...{ type: sql`'signed_up'`, at: sql`${formSignUps.createdAt}`, ref: sql`${formSignUps.id}` },
      from: sql`${formSignUps} where ${formSignUps.projectId} = ${projectId}
        and lower(${formSignUps.email}) = lower(${address})`,
    })),
    {
      kinds: ["changes"],
      ...{ type: sql`'merged'`, at: sql`${mergedContacts.createdAt}` },
      ref: sql`${mergedContacts.contactId}`,
      from: sql`${mergedContacts} where ${mergedContacts.keptId} = ${ids[0]}`,
    },
  ];
}

/** The newest entries of a source; `at <= ...` beside the whole comparison, so that its index begins there. */
function newest({ type, at, ref, link = sql`0`, from }: Source, { after, limit }: Asked): SQL {
  const earlier = after
    ? sql`and ${at} <= ${after.at}::timestamptz and (${at}, (${type})::text, ${ref}, (${link})::bigint)
        < (${after.at}::timestamptz, ${after.type}::text, ${after.ref}::uuid, ${after.link}::bigint)`
    : sql``;
  return sql`(select ${at} as at, (${type})::text as type, ${ref} as ref, (${link})::bigint as link
      from ${from} ${earlier} order by 1 desc, 2 desc, 3 desc, 4 desc limit ${limit})`;
}

/** One page of what happened with a contact, newest first, each entry with what it is about. */
export function timelineStatement(asked: Asked): SQL {
  const sources = [
    ...asked.ids.flatMap((id) => sourcesOf(id, asked)),
    ...otherSourcesOf(asked),
  ].filter(({ kinds }) => kinds.some((kind) => asked.kinds.has(kind)));
  const found = sources.map((source) => newest(source, asked));
  return sql`
    with asked as (select ${sql.param(asked.ids)}::uuid[] as contact_ids), entry as materialized (
      select * from (${sql.join(found, sql` union all `)}) one
      order by 1 desc, 2 desc, 3 desc, 4 desc limit ${asked.limit}
    )
    select to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, entry.type, entry.ref, entry.link::text as link, about.details
    from entry cross join asked cross join lateral (${detailsOf(asked.projectId)}) about
    order by entry.at desc, entry.type desc, entry.ref desc, entry.link desc`;
}
