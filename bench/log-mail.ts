import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { newUnownedId } from "@/lib/ground/ids/ids";

/** Single mail and campaigns of a project, written as their verbs would have; statuses and events over a year. */
export interface LogSize {
  contacts: number;
  single: number;
  campaigns: number;
  recipients: number;
}

/** uuids of the templates that mail was made from; none of them is there any more. */
export interface LogTemplates {
  receipt: string;
  signIn: string;
  rare: string;
  news: string;
}

/** What has happened to a mail `n`: a hundredth bounced unless `whole`; clicks only outside `whole`. */
const outcome = (n: string, whole: string) =>
  sql.raw(`
  case when not ${whole} and ${n} % 100 = 7 then 'BOUNCED'
    when not ${whole} and ${n} % 17 = 0 then 'CLICKED' when ${n} % 3 = 0 then 'OPENED' else 'DELIVERED' end`);

export async function writeLog(
  db: Database,
  projectId: string,
  { contacts, single, campaigns, recipients }: LogSize,
): Promise<LogTemplates> {
  const templates = {
    receipt: newUnownedId(),
    signIn: newUnownedId(),
    rare: newUnownedId(),
    news: newUnownedId(),
  };
  await db.execute(sql`
    insert into contacts (id, project_id, email, consent)
    select new_id(), ${projectId}, 'reader' || n || '@example.org', 'subscribed'
    from generate_series(1, ${contacts}::int) n`);
  await db.execute(sql`
    with reader as materialized (
      select id, email, row_number() over () - 1 as place from contacts where project_id = ${projectId}
    ), mail as materialized (
      select n, n % 5 as kind, new_id() as message_id,
        app_now() - interval '1 year' * (1 - n::float8 / ${single}::int) - interval '1 minute' as at
      from generate_series(1, ${single}::int) n
    ), written as (
      insert into messages (id, project_id, from_email, subject, html, template_id, created_at)
      select message_id, ${projectId}, 'hello@sandbox.test',
        case when n % 100000 = 4 then 'Rare note' when kind < 2 then 'Your receipt'
          when kind = 2 then 'Your order {{ number }}' when kind = 3 then 'Report ' || n
          else 'Sign in' end,
        '<p>Hello</p>',
        case when n % 100000 = 4 then ${templates.rare}::uuid when kind < 2 then ${templates.receipt}::uuid
          when kind = 4 then ${templates.signIn}::uuid end, at
      from mail
    )
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, subject,
      sent_at, delivered_at, opened_at, clicked_at, created_at)
    select new_id(), ${projectId}, message_id, reader.id, reader.email, 'TRANSACTIONAL', status,
      case when kind = 2 then 'Your order ' || n end, at, at,
      case when status in ('OPENED', 'CLICKED') then at end,
      case when status = 'CLICKED' then at end, at
    from (select mail.*, ${outcome("n", "(kind < 2)")} as status from mail) mail
      join reader on reader.place = n % ${contacts}::int`);
  for (let nth = 1; nth <= campaigns; nth++) {
    await writeCampaign(db, projectId, { nth, of: campaigns, recipients, news: templates.news });
  }
  await db.execute(sql`
    insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, delivered, opened, clicked, bounced)
    select ${projectId}, '00000000-0000-0000-0000-000000000000', date_trunc('hour', app_now()), 0, 9, 9, 9, 9, 9, 9`);
  return templates;
}

/** The last fifth of them have a subject of each reader's own. */
async function writeCampaign(
  db: Database,
  projectId: string,
  { nth, of, recipients, news }: { nth: number; of: number; recipients: number; news: string },
): Promise<void> {
  const [campaign, message] = [newUnownedId(), newUnownedId()];
  const named = nth % 5 === 0;
  const subject = named ? "Hi {{ firstName }}" : "Weekly news";
  const templateId = nth % 2 === 0 ? news : null;
  await db.execute(sql`
    with begun as materialized (
      select app_now() - interval '1 year' * (1 - ${nth}::float8 / ${of + 1}::int) as at
    ), campaign as (
      insert into campaigns (id, project_id, name, subject, status, message_id, recipients, started_at, audience_done_at)
      select ${campaign}::uuid, ${projectId}, 'Week ' || ${nth}::text, ${subject}, 'SENT', ${message}::uuid,
        ${recipients}::int, at, at + interval '30 seconds' from begun
    ), message as (
      insert into messages (id, project_id, campaign_id, from_email, subject, html, template_id, created_at)
      select ${message}::uuid, ${projectId}, ${campaign}::uuid, 'news@sandbox.test', ${subject}, '<p>News</p>',
        ${templateId}::uuid, at from begun
    ), reader as materialized (
      select id, email, row_number() over () as n from contacts
      where project_id = ${projectId} limit ${recipients}::int
    )
    insert into emails (id, project_id, message_id, campaign_id, contact_id, recipient, source, status, subject,
      sent_at, delivered_at, opened_at, clicked_at, created_at)
    select new_id(), ${projectId}, ${message}::uuid, ${campaign}::uuid, reader.id, reader.email, 'CAMPAIGN', status,
      case when ${named} then 'Hi ' || n % 100 end, reader.at, reader.at,
      case when status in ('OPENED', 'CLICKED') then reader.at end,
      case when status = 'CLICKED' then reader.at end, reader.at
    -- 5,000 at a time.
    from (select reader.*, begun.at + interval '2 seconds' * (1 + n / 5000) as at,
        ${outcome("n", "false")} as status
      from reader cross join begun) reader`);
}
