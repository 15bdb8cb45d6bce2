import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns, contacts, emails, messages } from "@/db/schema";
import type { CampaignMail } from "@/lib/domain/campaigns/mail";
import { audienceCondition } from "@/lib/domain/campaigns/audience";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { amount, percent } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";
import { advisory, field } from "./findings";
import type { AdvisoryFinding } from "./schema";

/** How many earlier campaigns are looked at, and how old they may be. */
const mostCampaigns = 200;
const days = 180;
/** How many of those with the same content are looked at. */
const mostEarlier = 10;
/** How many of its recipients are looked at. */
const mostRecipients = 5_000;

interface Earlier extends Record<string, unknown> {
  id: string;
  name: string;
  started_at: string;
}

/** The last campaigns with the same subject and content in one of their variants, newest first. */
async function findEarlier(
  db: Database,
  row: CampaignRow,
  { content: { subject, html, text } }: CampaignMail,
): Promise<Earlier[]> {
  const body = html ?? text ?? "";
  // Lengths are known without reading content stored out of line; only content of the same length is read.
  return db.execute<Earlier>(sql`
    with sent as materialized (
      select ${campaigns.id}, ${campaigns.name}, ${campaigns.startedAt},
        coalesce(${campaigns.variantMessageIds}, array[${campaigns.messageId}]) as message_ids
      from ${campaigns}
      where ${campaigns.projectId} = ${row.projectId} and ${campaigns.id} <> ${row.id}
        and ${campaigns.messageId} is not null
        and ${campaigns.startedAt} > app_now() - make_interval(days => ${days})
      order by ${campaigns.id} desc limit ${mostCampaigns}
    )
    select distinct on (sent.started_at, sent.id) sent.id, sent.name, sent.started_at from sent
      join ${messages} on ${messages.id} = any(sent.message_ids) and not ${messages.test}
    where ${messages.subject} = ${subject}
      and octet_length(coalesce(${messages.html}, ${messages.text})) = ${Buffer.byteLength(body)}
      and md5(coalesce(${messages.html}, ${messages.text})) = md5(${body}::text)
    order by sent.started_at desc, sent.id limit ${mostEarlier}`);
}

type Choice = Parameters<typeof audienceCondition>[1];

/** How many of those who got the earlier campaign are in this audience, and how many were looked at. */
async function countAgain(
  db: Database,
  { projectId }: CampaignRow,
  choice: Choice,
  earlier: Earlier,
): Promise<{ looked: number; again: number }> {
  const [counts] = await db.execute<{ looked: number; again: number }>(sql`
    with got as materialized (
      select ${emails.contactId} from ${emails}
      where ${emails.campaignId} = ${earlier.id} and ${emails.contactId} is not null
        and ${emails.sentAt} is not null
      limit ${mostRecipients}
    )
    select count(*)::int as looked, count(*) filter (where ${c.id} is not null)::int as again
    from got left join ${contacts} ${c}
      on ${c.id} = got.contact_id and ${audienceCondition(projectId, choice)}`);
  return counts ?? { looked: 0, again: 0 };
}

/** Reports that people in this audience have had the same mail before, and which campaign last sent it to them. */
export async function judgeRepetition(
  db: Database,
  row: CampaignRow,
  mails: readonly CampaignMail[],
  choice: Choice,
): Promise<AdvisoryFinding[]> {
  for (const mail of mails) {
    for (const earlier of await findEarlier(db, row, mail)) {
      const { looked, again } = await countAgain(db, row, choice, earlier);
      if (again === 0) continue;
      const day = new Date(earlier.started_at).toISOString().slice(0, 10);
      const share = Math.max(0.01, Math.round((again / looked) * 100) / 100);
      const message =
        looked < mostRecipients
          ? t(
              "The same email was sent on {day} with the campaign “{campaign}”: {again} of this audience have already received it.",
              { day, campaign: earlier.name, again: amount(again) },
            )
          : t(
              "The same email was sent on {day} with the campaign “{campaign}”: about {share} of its recipients are in this audience and have already received it.",
              { day, campaign: earlier.name, share: percent(share) },
            );
      const places = [field(mail.paths.subject), field(mail.paths.body)];
      const more = looked < mostRecipients ? { places, count: again } : { places };
      return [advisory("already_sent", message, more)];
    }
  }
  return [];
}
