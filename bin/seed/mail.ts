import { sql, type SQL } from "drizzle-orm";
import type { EmailSource } from "@/db/enums";
import { insertSelected, sameNamed } from "@/db/names";
import { emails } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { campaignPieces, links, transactionalPieces } from "./content";
import { draw, idAt } from "./people";

const sender = { email: "hello@sandbox.test", name: "Northwind Tea" };
/** Emails with a timeline of events: those people look at. The figures cover all. */
const withEvents = 200_000;

async function storeMessage(
  ctx: Context,
  piece: { subject: string; html: string },
  campaignId: string | null,
  daysAgo: number,
): Promise<string> {
  const id = newId();
  await ctx.db.execute(sql`
    insert into messages
      (id, project_id, domain_id, from_email, from_name, subject, html, campaign_id, created_at)
    select ${id}::uuid, ${ctx.projectId}::uuid, (
        select id from domains where project_id = ${ctx.projectId} and status = 'VERIFIED' limit 1),
      ${sender.email}, ${sender.name}, ${piece.subject}, ${piece.html}, ${campaignId}::uuid,
      app_now() - make_interval(days => ${daysAgo}::int)`);
  return id;
}

/** Of a thousand: how a mail ends, drawn by its id. Later outcomes include the earlier ones. */
interface Outcomes {
  bounced: number;
  opened: number;
  clicked: number;
}

/**
 * Emails with their outcomes and times. `people` names a relation with contact_id, email, name and
 * queued_at; who bounced did nothing else, who clicked opened.
 */
function insertEmails(
  ctx: Context,
  mail: { messageId: string; campaignId: string | null; source: EmailSource },
  people: SQL,
  { bounced, opened, clicked }: Outcomes,
  subject: SQL = sql`null`,
): SQL {
  return sql`
    ${insertSelected(emails, {
      ...sameNamed(emails, "id", "contactId", "openedAt", "clickedAt"),
      projectId: sql`${ctx.projectId}::uuid`,
      messageId: sql`${mail.messageId}::uuid`,
      campaignId: sql`${mail.campaignId}::uuid`,
      recipient: sql`email`,
      recipientName: sql`name`,
      source: sql`${mail.source}`,
      status: sql`case when bounced then 'BOUNCED' when complained then 'COMPLAINED'
        when clicked_at is not null then 'CLICKED' when opened_at is not null then 'OPENED'
        else 'DELIVERED' end`,
      subject,
      attempts: sql`1`,
      opens: sql`case when opened_at is null then 0 else 1 + luck % 3 end`,
      clicks: sql`case when clicked_at is null then 0 else 1 end`,
      sentAt: sql`queued_at + interval '1 second'`,
      deliveredAt: sql`case when not bounced then queued_at + interval '4 seconds' end`,
      bouncedAt: sql`case when bounced then queued_at + interval '2 seconds' end`,
      complainedAt: sql`case when complained then opened_at end`,
      unsubscribedAt: sql`case when clicked_at is not null and luck % 40 = 0
        then clicked_at + interval '20 seconds' end`,
      createdAt: sql`queued_at`,
    })}
    from (
      select drawn.*, -- least() passes over nulls: outside of the case, everybody would have opened just now.
        case when opens then least(app_now(), queued_at + later) end as opened_at,
        case when clicks then least(app_now(), queued_at + later + interval '40 seconds') end as clicked_at,
        opens and ${draw(sql`id`, 4, 800)} = 7 as complained
      from (
        select keyed.*, luck, luck < ${bounced} as bounced,
          luck >= 1000 - ${opened} as opens, luck >= 1000 - ${clicked} as clicks,
          make_interval(mins => 2 + (power(${draw(sql`keyed.id`, 2, 1000)} / 100.0, 3.2))::int) as later
        from (select person.*, ${idAt(sql`queued_at`)} as id from (${people}) person) as keyed
        cross join lateral (select ${draw(sql`keyed.id`, 1, 1000)} as luck) as lot
      ) as drawn
    ) as ended`;
}

/** A campaign that went out so many days ago, to so many of the people who were there. */
export async function seedCampaign(
  ctx: Context,
  nth: number,
  { daysAgo, recipients }: { daysAgo: number; recipients: number },
): Promise<void> {
  const { db, projectId } = ctx;
  const piece = campaignPieces[nth % campaignPieces.length];
  if (!piece) return;
  const campaignId = newId(Date.now() - daysAgo * 86_400_000);
  const messageId = await storeMessage(ctx, piece, campaignId, daysAgo);
  const when = sql`date_trunc('day', app_now()) - make_interval(days => ${daysAgo}::int) + interval '9 hours'`;
  await db.execute(sql`
    insert into campaigns (id, project_id, name, subject, from_email, from_name, html, status, message_id,
      started_at, finished_at, audience_done_at, created_at, updated_at)
    values (${campaignId}, ${projectId}, ${piece.name}, ${piece.subject}, ${sender.email}, ${sender.name},
      ${piece.html}, 'SENT', ${messageId}, ${when}, ${when} + interval '1 hour', ${when}, ${when}, ${when})`);
  await db.execute(
    insertEmails(
      ctx,
      { messageId, campaignId, source: "CAMPAIGN" },
      sql`select c.id as contact_id, c.email, nullif(c.first_name || ' ' || c.last_name, ' ') as name,
          ${when} + make_interval(secs => (row_number() over ()) * 3600.0 / ${recipients}::int) as queued_at
        from contacts c where c.project_id = ${projectId} and c.consent <> 'never'
        order by hashtextextended(c.id::text, ${nth}) limit ${recipients}`,
      // Not every subject does as well as the last one.
      { bounced: 9 + (nth % 5), opened: 310 + ((nth * 67) % 180), clicked: 45 + ((nth * 29) % 60) },
    ),
  );
  await db.execute(
    sql`update campaigns set recipients = (select count(*) from emails where campaign_id = ${campaignId})
      where id = ${campaignId}`,
  );
  await seedClicks(ctx, campaignId, messageId);
}

async function seedClicks({ db, projectId }: Context, campaignId: string, messageId: string) {
  await db.execute(sql`
    with link as (
      insert into links (project_id, campaign_id, message_id, url)
      select ${projectId}::uuid, ${campaignId}::uuid, ${messageId}::uuid, url from unnest(${sql.param(links)}::text[]) as url
      returning id
    ), numbered as (select id, row_number() over (order by id) - 1 as nth from link
    ), clicked as (
      insert into link_clicks (email_id, link_id, clicks, first_at)
      select e.id, numbered.id, 1, e.clicked_at from emails e
      join numbered on numbered.nth = ${draw(sql`e.id`, 5, 7)} % ${links.length}
      where e.campaign_id = ${campaignId} and e.clicked_at is not null
      returning link_id
    )
    insert into link_figures (link_id, slot, clicks, unique_clicks)
    select link_id, 0, count(*), count(*) from clicked group by link_id`);
}

/** Transactional mail over the last ninety days, more by day than by night. */
export async function seedTransactional(
  ctx: Context,
  { count, people }: { count: number; people: number },
): Promise<void> {
  for (const [nth, piece] of transactionalPieces.entries()) {
    const messageId = await storeMessage(ctx, piece, null, 90);
    const share = Math.floor((count + nth) / transactionalPieces.length);
    await ctx.db.execute(
      insertEmails(
        ctx,
        { messageId, campaignId: null, source: "TRANSACTIONAL" },
        sql`select c.id as contact_id, c.email, nullif(c.first_name || ' ' || c.last_name, ' ') as name,
            app_now() - interval '90 days' * (1 - n::float8 / ${share}::int) - make_interval(mins => ${draw(sql`n`, nth, 240)})
              as queued_at, 10000 + n as number
          from (
            select *, row_number() over (order by hashtextextended(id::text, ${nth})) - 1 as place
            from contacts where project_id = ${ctx.projectId}
          ) c join generate_series(1, ${share}::int) n on n % ${people}::int = c.place`,
        { bounced: 4, opened: 620, clicked: 240 },
        nth === 0 ? sql`'Your order ' || number` : sql`null`,
      ),
    );
  }
}

/** What follows from the mail: suppressions, timelines, and the figures that pages add up. */
export async function seedConsequences({ db, projectId }: Context): Promise<void> {
  await db.execute(sql`
    insert into suppressions (id, project_id, email, reason, created_at)
    select distinct on (lower(recipient)) new_id(), project_id, recipient,
      case when complained_at is null then 'hard_bounce' else 'complaint' end,
      coalesce(complained_at, bounced_at)
    from emails where project_id = ${projectId} and trouble is not null
      and (complained_at is not null or ${draw(sql`id`, 3, 10)} < 6)
    order by lower(recipient), created_at on conflict do nothing`);
  await db.execute(sql`
    insert into email_events (id, project_id, email_id, name, data, created_at)
    select ${idAt(sql`event.at`)}, e.project_id, e.id, event.name, event.data, event.at
    from (select * from emails where project_id = ${projectId}
      order by created_at desc limit ${withEvents}) e
    cross join lateral (values
      ('sent', '{"code": 250, "response": "2.0.0 Ok: queued"}'::jsonb, case when bounced_at is null then sent_at end),
      ('delivered', '{}', delivered_at), ('opened', '{}', opened_at), ('clicked', '{"url": "https://tea.example.com/"}', clicked_at),
      ('bounced', '{"code": 550, "type": "hard", "response": "5.1.1 No such user"}', bounced_at),
      ('complained', '{"type": "abuse"}', complained_at), ('unsubscribed', '{}', unsubscribed_at)
    ) as event(name, data, at) where event.at is not null`);
  await db.execute(sql`
    insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, delivered, opened, clicked,
      bounced, complained, unsubscribed, opens, clicks)
    select project_id, campaign, date_trunc('hour', at, 'UTC'), 0,
      sum(sent), sum(sent), sum(delivered), sum(opened), sum(clicked), sum(bounced), sum(complained),
      sum(unsubscribed), sum(opens), sum(clicks)
    from (
      select e.project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000') as campaign, counted.*
      from emails e cross join lateral (values
        (sent_at, 1, 0, 0, 0, 0, 0, 0, 0, 0), (delivered_at, 0, 1, 0, 0, 0, 0, 0, 0, 0),
        (opened_at, 0, 0, 1, 0, 0, 0, 0, opens, 0), (clicked_at, 0, 0, 0, 1, 0, 0, 0, 0, clicks),
        (bounced_at, 0, 0, 0, 0, 1, 0, 0, 0, 0), (complained_at, 0, 0, 0, 0, 0, 1, 0, 0, 0),
        (unsubscribed_at, 0, 0, 0, 0, 0, 0, 1, 0, 0)
      ) as counted(at, sent, delivered, opened, clicked, bounced, complained, unsubscribed, opens, clicks)
      where e.project_id = ${projectId} and counted.at is not null
    ) as happened group by 1, 2, 3`);
  await db.execute(sql`
    update contacts c set consent = 'unsubscribed', updated_at = app_now()
    where c.project_id = ${projectId} and c.consent = 'subscribed' and c.id in (
      select contact_id from emails where project_id = ${projectId}
        and (unsubscribed_at is not null or complained_at is not null))`);
}
