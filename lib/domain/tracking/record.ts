import { sql } from "drizzle-orm";
import { executePrepared, type Database, type Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { statusAfter } from "@/lib/domain/emails/status";
import { addFigures, figureSlot } from "@/lib/ground/counters/counters";
import { emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { isMachine, ownAddress, type Visitor } from "./machines";

/** A pixel that was fetched, or a link that was followed. */
export interface Visit {
  /** uuid */
  emailId: string;
  /** null: the pixel. `links`: how many different ones the email has. */
  link: { id: number; url: string; links: number } | null;
  visitor: Visitor;
}

const longestAgent = 500;

// Most different links of an email within this time: nobody reads that fast.
const burst = sql.raw("app_now() - interval '2 seconds'");

/**
 * Records opens and clicks, all in one go: counters, first times and status of their emails, events,
 * figures, webhooks. What machines do is kept apart and changes nothing of the email; clicks just before
 * the one that gives a machine away are taken back from the person. Visits of emails that are gone
 * change nothing.
 */
export async function recordVisits(db: Database, visits: readonly Visit[]): Promise<void> {
  const v = <Value>(read: (visit: Visit) => Value) => sql.param(visits.map(read));
  const machines = visits.map(({ visitor }) => isMachine(visitor));
  const emailIds = v(({ emailId }) => emailId);
  const inOrder = sql`where id = any(${emailIds}::uuid[]) order by id for no key update`;
  const record = (executor: Executor) =>
    executePrepared(
      executor,
      sql`
      with given as materialized (
        select email_id, link_id, url, links, machine::boolean as machine, agent, address, position
        from unnest(
          ${emailIds}::uuid[], ${v(({ link }) => link?.id ?? null)}::bigint[],
          ${v(({ link }) => link?.url ?? null)}::text[], ${v(({ link }) => link?.links ?? 0)}::int[],
          ${sql.param(machines.map(String))}::text[],
          ${v(({ visitor }) => visitor.userAgent.slice(0, longestAgent).toWellFormed())}::text[],
          ${sql.param(visits.map(({ visitor }, index) => (machines[index] ? null : ownAddress(visitor))))}::text[]
        ) with ordinality as given(email_id, link_id, url, links, machine, agent, address, position)
      ), locked as materialized (
        -- In their order, so that two processes never wait for each other.
        select id, project_id, campaign_id, recipient, delivered_at, opened_at, clicked_at from emails
        ${inOrder}
      ), followed as (
        select email_id, url, links from given where links > 1
      ), bursts as materialized (
        select email_id from (
          select email_id, url, links from followed
          union all
          select e.email_id, e.data ->> 'url', null
          from (select distinct email_id from followed) f join email_events e
            on e.email_id = f.email_id and e.name = 'clicked' and e.created_at > ${burst}
        ) recent
        group by email_id
        having count(distinct url) > max(links) / 2.0 and count(distinct url) >= least(max(links), 3)
      ), judged as materialized (
        -- Of somebody who was deleted for good no address is kept.
        select given.*, locked.project_id, locked.campaign_id, locked.recipient is null as forgotten,
          given.machine or (link_id is not null and bursts.email_id is not null) as by_machine
        from given join locked on locked.id = given.email_id
          left join bursts on bursts.email_id = given.email_id
      ), withdrawn as (
        delete from link_clicks using bursts
        where link_clicks.email_id = bursts.email_id and first_at > ${burst}
        returning link_clicks.email_id, link_id, clicks
      ), sums as materialized (
        select locked.*, seen.*, coalesce(taken.clicks, 0) as withdrawn,
          taken.clicks is not null and locked.clicked_at > ${burst} as unclicked
        from (
          select email_id, count(*) filter (where link_id is null and not by_machine) as opens,
            count(*) filter (where link_id is not null and not by_machine) as clicks,
            count(*) filter (where link_id is null and by_machine) as machine_opens,
            count(*) filter (where link_id is not null and by_machine) as machine_clicks
          from judged group by email_id
        ) seen join locked on locked.id = seen.email_id
          left join (select email_id, sum(clicks) as clicks from withdrawn group by 1) taken
            on taken.email_id = seen.email_id
      ), moved as (
        update emails e set
          opens = e.opens + s.opens,
          clicks = e.clicks + s.clicks - s.withdrawn,
          delivered_at = coalesce(e.delivered_at, case when s.opens + s.clicks > 0 then app_now() end),
          opened_at = coalesce(e.opened_at, case when s.opens > 0 then app_now() end),
          clicked_at = case when s.unclicked then null
            else coalesce(e.clicked_at, case when s.clicks > 0 then app_now() end) end,
          status = case
            when s.unclicked and e.status = 'CLICKED'
              then case when s.opened_at is null and s.opens = 0 then 'DELIVERED' else 'OPENED' end
            else ${sql.raw(
              statusAfter(
                "e.status",
                "(case when s.clicks > 0 then 'CLICKED' when s.opens > 0 then 'OPENED' end)",
              ),
            )} end
        from sums s
        where e.id = s.id and (s.opens + s.clicks > 0 or s.withdrawn > 0)
      ), figures as (
        select project_id, campaign_id, opens, clicks - withdrawn as clicks, machine_opens,
          machine_clicks + withdrawn as machine_clicks,
          (opens + clicks > 0 and delivered_at is null)::int as delivered,
          (opens > 0 and opened_at is null)::int as opened,
          (clicks > 0 and clicked_at is null)::int - unclicked::int as clicked
        from sums
      ), counted as (
        ${addFigures("figures", [
          "delivered",
          "opened",
          "clicked",
          "opens",
          "clicks",
          "machine_opens",
          "machine_clicks",
        ])}
      ), clicked as (
        insert into link_clicks (email_id, link_id, clicks)
        select email_id, link_id, count(*) from judged
        where link_id is not null and not by_machine
        group by email_id, link_id order by email_id, link_id
        on conflict (email_id, link_id) do update set clicks = link_clicks.clicks + excluded.clicks
        returning link_id, xmax = 0 as first
      ), links_counted as (
        insert into link_figures (link_id, slot, clicks, unique_clicks, machine_clicks)
        select link_id, ${sql.raw(String(figureSlot))}, sum(clicks), sum(unique_clicks), sum(machine_clicks)
        from (
          select link_id, (not by_machine)::int as clicks, 0 as unique_clicks,
            by_machine::int as machine_clicks
          from judged where link_id is not null
          union all select link_id, 0, 1, 0 from clicked where first
          union all select link_id, -clicks, -1, clicks from withdrawn
        ) delta group by link_id order by link_id
        on conflict (link_id, slot) do update set clicks = link_figures.clicks + excluded.clicks,
          unique_clicks = link_figures.unique_clicks + excluded.unique_clicks,
          machine_clicks = link_figures.machine_clicks + excluded.machine_clicks
      ), remarked as (
        update email_events e set data = (e.data || '{"machine": true}') - 'ip' from bursts
        where e.email_id = bursts.email_id and e.name = 'clicked' and e.created_at > ${burst}
          and not e.data ? 'machine'
      ), noted as (
        insert into email_events (project_id, email_id, name, data, created_at)
        select project_id, email_id, case when link_id is null then 'opened' else 'clicked' end,
          jsonb_strip_nulls(jsonb_build_object('url', url, 'userAgent', agent,
            'ip', case when not by_machine and not forgotten then address end,
            'machine', case when by_machine then true end)),
          app_now() + position * interval '1 microsecond'
        from judged
        returning id, project_id, email_id, name, data, created_at
      ), told as (
        select * from noted where not data ? 'machine'
      ), deliveries as (${emailEventDeliveries(sql`told`)})
      select ${wakeDeliveries(sql`deliveries`)}`,
    );
  const mayBeBurst = visits.some(({ link }) => link !== null && link.links > 1);
  await retryConflicts(async () => {
    if (!mayBeBurst) return record(db);
    return db.transaction(async (tx) => {
      // A statement sees what was there when it began: what another process is just recording of the
      // same emails has to be waited for before.
      await executePrepared(tx, sql`select from emails ${inOrder}`);
      return record(tx);
    });
  });
}
