import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, fixed, insertSelected, newIdOf, plusExcluded } from "@/db/names";
import { emailEvents, emails, linkClicks } from "@/db/schema";
import { statusAfter } from "@/lib/domain/emails/status";
import { addFigures } from "@/lib/ground/counters/counters";
import { addLinkFigures } from "@/lib/ground/counters/link-figures";
import { emailEventColumns, emailEventDeliveries, madeDeliveries } from "@/lib/ground/events/emit";
import { isMachine, ownAddress } from "./machines";
import type { Visit } from "./record";

const longestAgent = 500;

/** Following most of an email's links within this time: nobody reads that fast. */
const sinceBurst = sql`app_now() - interval '2 seconds'`;

/** The visits' emails, locked in their order, so that two processes never wait for each other. */
export function lockedInOrder(visits: readonly Visit[]): SQL {
  const emailIds = sql.param(visits.map(({ emailId }) => emailId));
  return sql`where ${emails.id} = any(${emailIds}::uuid[]) order by ${emails.id} for no key update`;
}

/** `visit`: the visits, with their place; a machine's address is not kept. */
function givenVisits(visits: readonly Visit[]): SQL {
  const v = <Value>(read: (visit: Visit) => Value) => sql.param(visits.map(read));
  const machines = new Map(visits.map((visit) => [visit, isMachine(visit.visitor)]));
  return sql`visit as materialized (
      select email_id, link_id, url, links, machine::boolean as machine, agent, address, position
      from unnest(
        ${v(({ emailId }) => emailId)}::uuid[], ${v(({ link }) => link && String(link.id))}::bigint[],
        ${v(({ link }) => link?.url ?? null)}::text[], ${v(({ link }) => link?.links ?? 0)}::int[],
        ${v((visit) => String(machines.get(visit)))}::text[],
        ${v(({ visitor }) => visitor.userAgent.slice(0, longestAgent).toWellFormed())}::text[],
        ${v((visit) => (machines.get(visit) ? null : ownAddress(visit.visitor)))}::text[]
      ) with ordinality as asked(email_id, link_id, url, links, machine, agent, address, position)
    )`;
}

/** `bursts`: emails most of whose links were followed at once, by these visits and those just before. */
const bursts = sql`followed as (
      select email_id, url, links from visit where links > 1
    ), bursts as materialized (
      select email_id from (
        select email_id, url, links from followed
        union all
        select ${emailEvents.emailId}, ${emailEvents.data} ->> 'url', null
        from (select distinct email_id from followed) f join ${emailEvents}
          on ${emailEvents.emailId} = f.email_id and ${emailEvents.name} = 'clicked'
          and ${emailEvents.createdAt} > ${sinceBurst}
      ) recent
      group by email_id
      having count(distinct url) > max(links) / 2.0 and count(distinct url) >= least(max(links), 3)
    )`;

/**
 * `judged`: each visit, and whether a machine made it. `withdrawn`: clicks counted for a person that turn
 * out to be part of a burst; `remarked` says so in their events.
 */
const judged = sql`judged as materialized (
      -- Of somebody who was deleted for good no address is kept.
      select visit.*, locked.project_id, locked.campaign_id, locked.recipient is null as forgotten,
        visit.machine or (link_id is not null and bursts.email_id is not null) as by_machine
      from visit join locked on locked.id = visit.email_id
        left join bursts on bursts.email_id = visit.email_id
    ), withdrawn as (
      delete from ${linkClicks} using bursts
      where ${linkClicks.emailId} = bursts.email_id and ${linkClicks.firstAt} > ${sinceBurst}
      returning ${linkClicks.emailId}, ${linkClicks.linkId}, ${linkClicks.clicks}
    ), remarked as (
      update ${emailEvents} set ${assignments(emailEvents, {
        data: sql`(${emailEvents.data} || '{"machine": true}') - 'ip'`,
      })} from bursts
      where ${emailEvents.emailId} = bursts.email_id and ${emailEvents.name} = 'clicked'
        and ${emailEvents.createdAt} > ${sinceBurst} and not ${emailEvents.data} ? 'machine'
    )`;

/** `sums`: per email what people and machines did, and what is taken back. */
const sums = sql`sums as materialized (
      select locked.*, seen.*, coalesce(taken.clicks, 0) as withdrawn,
        taken.clicks is not null and locked.clicked_at > ${sinceBurst} as unclicked
      from (
        select email_id, count(*) filter (where link_id is null and not by_machine) as opens,
          count(*) filter (where link_id is not null and not by_machine) as clicks,
          count(*) filter (where link_id is null and by_machine) as machine_opens,
          count(*) filter (where link_id is not null and by_machine) as machine_clicks
        from judged group by email_id
      ) seen join locked on locked.id = seen.email_id
        left join (select email_id, sum(clicks) as clicks from withdrawn group by 1) taken
          on taken.email_id = seen.email_id
    )`;

const statusOfSums = sql.raw(
  statusAfter(
    "emails.status",
    "(case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end)",
  ),
);

/** Counters, first times and status of the emails; what people did says that it was delivered, too. */
const movedEmails = sql`moved as (
      update ${emails} set ${assignments(emails, {
        opens: sql`${emails.opens} + sums.opens`,
        clicks: sql`${emails.clicks} + sums.clicks - sums.withdrawn`,
        deliveredAt: sql`coalesce(${emails.deliveredAt},
          case when sums.opens + sums.clicks > 0 then app_now() end)`,
        openedAt: sql`coalesce(${emails.openedAt}, case when sums.opens > 0 then app_now() end)`,
        clickedAt: sql`case when sums.unclicked then null
          else coalesce(${emails.clickedAt}, case when sums.clicks > 0 then app_now() end) end`,
        status: sql`case
          when sums.unclicked and ${emails.status} = 'CLICKED' then
            case when sums.opened_at is null and sums.opens = 0 then 'DELIVERED' else 'OPENED' end
          else ${statusOfSums} end`,
      })}
      from sums
      where ${emails.id} = sums.id and (sums.opens + sums.clicks > 0 or sums.withdrawn > 0)
    )`;

/** 1 for mail whose arrival is known only from its reader. */
const firstProof = sql`(opens + clicks > 0 and delivered_at is null)::int`;

/** The figures of the hour: people once, and how often they and machines came. */
const countedEmails = sql`figures as (
      select project_id, campaign_id, variant, opens, clicks - withdrawn as clicks, machine_opens,
        machine_clicks + withdrawn as machine_clicks,
        ${firstProof} as delivered, ${firstProof} as inferred,
        (opens > 0 and opened_at is null)::int as opened,
        (clicks > 0 and clicked_at is null)::int - unclicked::int as clicked
      from sums
    ), counted as (
      ${addFigures(
        "figures",
        [
          ...(["delivered", "inferred", "opened", "clicked", "opens", "clicks"] as const),
          ...(["machine_opens", "machine_clicks"] as const),
        ],
        { variants: true },
      )}
    )`;

/** First clicks by person and link, and the links' figures. */
const countedLinks = sql`clicked as (
      ${insertSelected(linkClicks, {
        emailId: sql`email_id`,
        linkId: sql`link_id`,
        clicks: sql`count(*)`,
      })} from judged
      where link_id is not null and not by_machine
      group by email_id, link_id order by email_id, link_id
      on conflict (${columns(linkClicks.emailId, linkClicks.linkId)}) do update set ${assignments(
        linkClicks,
        {
          clicks: plusExcluded(linkClicks.clicks),
        },
      )}
      returning ${linkClicks.linkId}, xmax = 0 as first
    ), links_counted as (
      ${addLinkFigures(sql`
        select link_id, (not by_machine)::int as clicks, 0 as unique_clicks,
          by_machine::int as machine_clicks
        from judged where link_id is not null
        union all select link_id, 0, 1, 0 from clicked where first
        union all select link_id, -clicks, -1, clicks from withdrawn`)}
    )`;

/** The events in their order. */
const notedVisits = sql`noted as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`email_id`,
        name: sql`case when link_id is null then 'opened' else 'clicked' end`,
        data: sql`jsonb_strip_nulls(jsonb_build_object('url', url, 'userAgent', agent,
          'ip', case when not by_machine and not forgotten then address end,
          'machine', case when by_machine then true end))`,
        createdAt: sql`app_now() + position * interval '1 microsecond'`,
      })}
      from judged
      returning ${emailEventColumns}
    ), deliveries as (${emailEventDeliveries(sql`noted`)})`;

const locked = sql`locked as materialized (
      select ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, ${emails.recipient},
        ${emails.deliveredAt}, ${emails.openedAt}, ${emails.clickedAt} from ${emails}`;

const selectLocked = fixed(locked);
const fromLocked = fixed(sql`${bursts}, ${judged}, ${sums}, ${movedEmails}, ${countedEmails},
    ${countedLinks}, ${notedVisits} select ${madeDeliveries(sql`deliveries`)} as told`);

/** The statement that records visits: see recordVisits. */
export function visitsStatement(visits: readonly Visit[]): SQL {
  return sql`with ${givenVisits(visits)}, ${selectLocked} ${lockedInOrder(visits)}
    ), ${fromLocked}`;
}
