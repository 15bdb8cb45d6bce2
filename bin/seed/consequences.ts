import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { leaveReasons } from "@/db/enums";
import { assignments, insertSelected } from "@/db/names";
import {
  consentChanges,
  contacts,
  emailEvents,
  emails,
  eventClock,
  hourlyFigures,
  suppressions,
} from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { noCampaign } from "@/lib/ground/counters/counters";
import { draw, idAt, pick } from "./people";

/*
 * What results from the mail. The pieces do not depend on each other.
 */

/** Emails with a timeline of events: the ones people look at. The figures cover all. */
const withEvents = 200_000;
/** As many wrote these events, it seems: what one has written is sorted anew for each page of GET /v1/events. */
const transactions = 999;

export async function seedSuppressions({ db, projectId }: Context): Promise<void> {
  await db.execute(sql`
    ${insertSelected(suppressions, {
      id: idAt(projectId, sql`at`),
      projectId: sql`${projectId}::uuid`,
      email: sql`recipient`,
      reason: sql`reason`,
      emailId: sql`email_id`,
      createdAt: sql`at`,
    })}
    from (
      select distinct on (lower(${emails.recipient})) ${emails.id} as email_id, ${emails.recipient},
        case when ${emails.complainedAt} is null then 'hard_bounce' else 'complaint' end as reason,
        coalesce(${emails.complainedAt}, ${emails.bouncedAt}) as at
      from ${emails} where ${emails.projectId} = ${projectId} and ${emails.trouble} is not null
        and (${emails.complainedAt} is not null or ${draw(sql`${emails.id}`, 3, 10)} < 6)
      order by lower(${emails.recipient}), ${emails.createdAt}
    ) as reported on conflict do nothing`);
}

/** What people read mail with, and where: agents, and addresses from a few countries. */
const agents = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
];
const addresses = ["81.2.69.160", "91.64.1.1", "8.8.8.8", "90.0.0.1", "133.1.1.1"];
const reader = sql`jsonb_build_object('userAgent', ${pick(agents, sql`${emails.id}`, 11)}, 'ip', ${pick(addresses, sql`${emails.id}`, 12)})`;

export async function seedTimelines({ db, projectId }: Context): Promise<void> {
  await db.execute(sql`
    ${insertSelected(emailEvents, {
      id: idAt(projectId, sql`event.at`),
      projectId: sql`${projectId}::uuid`,
      emailId: sql`${emails.id}`,
      name: sql`event.name`,
      data: sql`event.data`,
      createdAt: sql`event.at`,
      position: sql`greatest(1, (pg_current_xact_id()::text)::bigint + ${eventClock.shift}
        - (${transactions} * (1 - percent_rank() over (order by event.at)))::bigint)`,
    })}
    from (select * from ${emails} where ${emails.projectId} = ${projectId}
      order by ${emails.createdAt} desc limit ${withEvents}) as ${emails}
    cross join ${eventClock}
    cross join lateral (values
      ('sent', '{"code": 250, "response": "2.0.0 Ok: queued"}'::jsonb,
        case when ${emails.bouncedAt} is null then ${emails.sentAt} end),
      ('delivered', '{}', ${emails.deliveredAt}), ('opened', ${reader}, ${emails.openedAt}),
      ('clicked', ${reader} || '{"url": "https://tea.example.com/"}', ${emails.clickedAt}),
      ('bounced', '{"code": 550, "type": "hard", "response": "5.1.1 No such user"}', ${emails.bouncedAt}),
      ('complained', '{"type": "abuse"}', ${emails.complainedAt}),
      ('unsubscribed', '{}', ${emails.unsubscribedAt})
    ) as event(name, data, at) where event.at is not null`);
}

/** Figures by the hour in which things happened; `figures` names what is added up. */
async function seedFigure(
  { db, projectId }: Context,
  slot: number,
  happened: PgColumn,
  figures: Partial<Record<keyof typeof hourlyFigures.$inferInsert, SQL>>,
): Promise<void> {
  await db.execute(sql`
    ${insertSelected(hourlyFigures, {
      projectId: sql`${projectId}::uuid`,
      campaignId: sql`coalesce(${emails.campaignId}, ${noCampaign}::uuid)`,
      hour: sql`date_trunc('hour', ${happened}, 'UTC')`,
      slot: sql`${slot}::smallint`,
      ...figures,
    })}
    from ${emails} where ${emails.projectId} = ${projectId} and ${happened} is not null
    group by 2, 3`);
}

/** The figures that pages add up, each by the hour of its own moment. */
export function figureTasks(ctx: Context): (() => Promise<void>)[] {
  const count = sql`count(*)`;
  const { opens, clicks } = emails;
  const figures: [PgColumn, Parameters<typeof seedFigure>[3]][] = [
    [emails.sentAt, { settled: count, sent: count }],
    [emails.deliveredAt, { delivered: count }],
    [emails.openedAt, { opened: count, opens: sql`sum(${opens})` }],
    [emails.clickedAt, { clicked: count, clicks: sql`sum(${clicks})` }],
    [emails.bouncedAt, { bounced: count }],
    [emails.complainedAt, { complained: count }],
    [emails.unsubscribedAt, { unsubscribed: count }],
  ];
  return figures.map(
    ([happened, sums], slot) =>
      () =>
        seedFigure(ctx, slot, happened, sums),
  );
}

/** People who left by a mail, or complained about one, are unsubscribed, and their history says by which. */
export async function seedOptOuts({ db, projectId }: Context): Promise<void> {
  const left = sql`coalesce(${emails.unsubscribedAt}, ${emails.complainedAt})`;
  await db.execute(sql`
    with left_by as (
      select distinct on (${emails.contactId}) ${emails.contactId} as contact_id, ${emails.id} as email_id,
        ${left} as at, ${emails.unsubscribedAt} is null as complained
      from ${emails} where ${emails.projectId} = ${projectId} and ${left} is not null
      order by ${emails.contactId}, ${left}
    ), gone as (
      update ${contacts} set ${assignments(contacts, {
        consent: sql`'unsubscribed'`,
        updatedAt: sql`app_now()`,
      })}
      from left_by
      where ${contacts.projectId} = ${projectId} and ${contacts.id} = left_by.contact_id
        and ${contacts.consent} = 'subscribed'
      returning left_by.*
    )
    ${insertSelected(consentChanges, {
      id: idAt(projectId, sql`at`),
      projectId: sql`${projectId}::uuid`,
      contactId: sql`contact_id`,
      before: sql`'subscribed'`,
      after: sql`'unsubscribed'`,
      origin: sql`case when complained then 'complaint' when ${draw(sql`email_id`, 13, 3)} = 0 then 'link' else 'oneClick' end`,
      // A mail program's own button asks nobody why.
      reason: sql`case when not complained and ${draw(sql`email_id`, 13, 3)} = 0
        then ${pick(leaveReasons, sql`email_id`, 14)} end`,
      emailId: sql`email_id`,
      createdAt: sql`at`,
    })}
    from gone`);
}
