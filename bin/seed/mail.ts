import { sql, type SQL } from "drizzle-orm";
import type { EmailSource } from "@/db/enums";
import { assignments, columns, insertSelected, sameNamed } from "@/db/names";
import {
  campaigns,
  contacts,
  domains,
  emails,
  linkClicks,
  linkFigures,
  links,
  messages,
  templates,
} from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { linkIdOf } from "@/lib/mail/tracking/link-registry";
import { campaignPieces, linkUrls, transactionalPieces } from "./content";
import { draw, idAt } from "./people";

const sender = { email: "hello@sandbox.test", name: "Northwind Tea" };

type Written = { subject: string; html: string; name: string };

/** The content of a piece, once for each of `times` (rows of one column, `at`); with its template, where there is one. */
const insertMessages = (
  ctx: Context,
  { name, subject, html }: Written,
  campaignId: string | null,
  times: SQL,
): SQL => sql`
  ${insertSelected(messages, {
    id: idAt(ctx.projectId, sql`written.at`),
    projectId: sql`${ctx.projectId}::uuid`,
    domainId: sql`(select ${domains.id} from ${domains}
      where ${domains.projectId} = ${ctx.projectId} and ${domains.status} = 'VERIFIED' limit 1)`,
    fromEmail: sql`${sender.email}`,
    fromName: sql`${sender.name}`,
    subject: sql`${subject}`,
    html: sql`${html}`,
    campaignId: sql`${campaignId}::uuid`,
    templateId: sql`(select ${templates.id} from ${templates}
      where ${templates.projectId} = ${ctx.projectId} and ${templates.name} = ${name} limit 1)`,
    createdAt: sql`written.at`,
  })} from (${times}) as written(at)`;

/** Out of a thousand: how a mail ends, drawn by its id. Later outcomes include the earlier ones. */
interface Outcomes {
  bounced: number;
  opened: number;
  clicked: number;
}

/**
 * Emails with their outcomes and times. `people` names a relation with contact_id, email, name and
 * queued_at; those that bounced did nothing else, and those that clicked also opened.
 */
function insertEmails(
  ctx: Context,
  mail: { messageId: SQL; campaignId: string | null; source: EmailSource },
  people: SQL,
  { bounced, opened, clicked }: Outcomes,
  subject: SQL = sql`null`,
): SQL {
  return sql`
    ${insertSelected(emails, {
      ...sameNamed(emails, "id", "contactId", "openedAt", "clickedAt"),
      projectId: sql`${ctx.projectId}::uuid`,
      messageId: mail.messageId,
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
        from (select person.*, ${idAt(ctx.projectId, sql`queued_at`)} as id from (${people}) person) as keyed
        cross join lateral (select ${draw(sql`keyed.id`, 1, 1000)} as luck) as lot
        offset 0 -- drawn once, not wherever it is read
      ) as drawn
    ) as ended`;
}

const person = sql`${contacts.id} as contact_id, ${contacts.email},
  nullif(${contacts.firstName} || ' ' || ${contacts.lastName}, ' ') as name`;

/** A campaign sent this many days ago, to this many of the people who were there then. */
export async function seedCampaign(
  ctx: Context,
  nth: number,
  { daysAgo, recipients }: { daysAgo: number; recipients: number },
): Promise<void> {
  const { db, projectId } = ctx;
  const piece = campaignPieces[nth % campaignPieces.length];
  if (!piece) return;
  const campaignId = newId(projectId, Date.now() - daysAgo * 86_400_000);
  const when = sql`date_trunc('day', app_now()) - make_interval(days => ${daysAgo}::int) + interval '9 hours'`;
  const [message] = await db.execute<{ id: string }>(sql`
    ${insertMessages(ctx, piece, campaignId, sql`select ${when}`)} returning ${columns(messages.id)}`);
  if (!message) throw new Error("An insert returned no row.");
  const messageId = message.id;
  await db.execute(sql`
    ${insertSelected(campaigns, {
      id: sql`${campaignId}::uuid`,
      projectId: sql`${projectId}::uuid`,
      name: sql`${piece.name}`,
      subject: sql`${piece.subject}`,
      fromEmail: sql`${sender.email}`,
      fromName: sql`${sender.name}`,
      html: sql`${piece.html}`,
      status: sql`'SENT'`,
      messageId: sql`${messageId}::uuid`,
      startedAt: when,
      finishedAt: sql`${when} + interval '1 hour'`,
      audienceDoneAt: sql`${when} + interval '1 hour'`,
      createdAt: when,
      updatedAt: when,
    })}`);
  await db.execute(
    insertEmails(
      ctx,
      { messageId: sql`${messageId}::uuid`, campaignId, source: "CAMPAIGN" },
      sql`select ${person},
          ${when} + make_interval(secs => (row_number() over ()) * 3600.0 / ${recipients}::int) as queued_at
        from ${contacts} where ${contacts.projectId} = ${projectId} and ${contacts.consent} <> 'never'
        order by hashtextextended(${contacts.id}::text, ${nth}) limit ${recipients}`,
      // Not every subject does as well as the last one.
      { bounced: 9 + (nth % 5), opened: 310 + ((nth * 67) % 180), clicked: 45 + ((nth * 29) % 60) },
    ),
  );
  await db.execute(sql`
    update ${campaigns} set ${assignments(campaigns, {
      recipients: sql`(select count(*) from ${emails} where ${emails.campaignId} = ${campaignId})`,
    })}
    where ${campaigns.id} = ${campaignId}`);
  await seedClicks(ctx, campaignId, messageId);
}

async function seedClicks({ db, projectId }: Context, campaignId: string, messageId: string) {
  await db.execute(sql`
    with link as (
      ${insertSelected(links, {
        id: sql`link_id`,
        projectId: sql`${projectId}::uuid`,
        campaignId: sql`${campaignId}::uuid`,
        messageId: sql`${messageId}::uuid`,
        url: sql`url`,
      })} from unnest(${sql.param(linkUrls)}::text[],
        ${sql.param(linkUrls.map((url) => String(linkIdOf(messageId, url))))}::bigint[]) as link(url, link_id) returning ${columns(links.id)}
    ), numbered as (select id, row_number() over (order by id) - 1 as nth from link
    ), clicked as (
      ${insertSelected(linkClicks, {
        emailId: sql`${emails.id}`,
        linkId: sql`numbered.id`,
        clicks: sql`1`,
        firstAt: sql`${emails.clickedAt}`,
      })} from ${emails}
      join numbered on numbered.nth = ${draw(sql`${emails.id}`, 5, 7)} % ${linkUrls.length}
      where ${emails.campaignId} = ${campaignId} and ${emails.clickedAt} is not null
      returning ${columns(linkClicks.linkId)} as link_id
    )
    ${insertSelected(linkFigures, {
      linkId: sql`link_id`,
      slot: sql`0`,
      clicks: sql`count(*)`,
      uniqueClicks: sql`count(*)`,
    })} from clicked group by link_id`);
}

/** Transactional mail over the last ninety days, more by day than by night. */
export async function seedTransactional(
  ctx: Context,
  nth: number,
  { count, people }: { count: number; people: number },
): Promise<void> {
  const piece = transactionalPieces[nth];
  if (!piece) return;
  const [{ now } = { now: "" }] = await ctx.db.execute<{ now: string }>(
    sql`select app_now()::text as now`,
  );
  // Mail of a minute is one message to several people, as a batch is.
  const queuedAt = sql`date_trunc('minute', ${now}::timestamptz - interval '90 days' * (1 - n::float8 / ${count}::int)
    - make_interval(mins => ${draw(sql`n`, nth, 240)}))`;
  await ctx.db.execute(
    insertMessages(
      ctx,
      piece,
      null,
      sql`select distinct ${queuedAt} from generate_series(1, ${count}::int) n`,
    ),
  );
  await ctx.db.execute(
    insertEmails(
      ctx,
      { messageId: sql`message_id`, campaignId: null, source: "TRANSACTIONAL" },
      sql`select contact_id, email, name, queued_at, ${messages.id} as message_id, 10000 + n as number
        from (
          select ${person}, row_number() over (order by hashtextextended(${contacts.id}::text, ${nth})) - 1 as place
          from ${contacts} where ${contacts.projectId} = ${ctx.projectId}
        ) placed join generate_series(1, ${count}::int) n on n % ${people}::int = placed.place
        cross join lateral (select ${queuedAt} as queued_at) as queued
        join ${messages} on ${messages.projectId} = ${ctx.projectId}
          and ${messages.subject} = ${piece.subject} and ${messages.createdAt} = queued_at`,
      { bounced: 4, opened: 620, clicked: 240 },
      nth === 0 ? sql`'Your order ' || number` : sql`null`,
    ),
  );
}
