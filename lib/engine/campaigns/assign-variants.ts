import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { insertSelected, newIdOf } from "@/db/names";
import { emailQueue, emails } from "@/db/schema";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { waitingColumns } from "@/lib/domain/warm-up/hold-back";
import { c } from "@/lib/domain/contact-states/contact-alias";

/** SQL for the due_at of mail that sleeps until its campaign's A/B test has a winner. */
export const untilDecided = sql`'infinity'::timestamptz`;

/**
 * Writes the emails of one window of an A/B test's audience. The test's people are the first by a hash of campaign
 * and contact, so that nobody's place can be predicted or depends on when it is computed; they are dealt the
 * variants in turn. `soFar` carries both from window to window: over the whole audience the share is exact, the
 * variants differ by one person at most, and each gets somebody where there are enough people.
 */
export async function dealVariants(
  executor: Executor,
  { id, projectId, abTest }: CampaignRow,
  messageIds: readonly string[],
  chosen: SQL,
  soFar: { added: number; tested: number },
  warming: boolean,
): Promise<{ added: number; tested: number }> {
  const variants = messageIds.length;
  const turn = sql`((${soFar.tested}::int + place) % ${variants}::int)::int`;
  const inTest = warming
    ? waitingColumns(sql`dealt.id`, sql`dealt.created_at`)
    : { dueAt: sql`app_now()`, warmupRank: sql`null::real` };
  const [row] = await executor.execute<{ added: number; tested: number }>(sql`
    with chosen as materialized (
      select ${c.id}, ${c.email}, ${c.createdAt},
        row_number() over (order by md5(${id}::text || ${c.id}::text)) - 1 as place
      from ${chosen}
    ), share as materialized (
      select greatest(0, greatest(ceil(people * ${abTest?.testPercentage ?? 0}::numeric / 100),
        least(people, ${variants}::int)) - ${soFar.tested}::int) as size
      from (select ${soFar.added}::int + count(*) as people from chosen) audience
    ), dealt as materialized (
      select ${newIdOf(sql`${projectId}::uuid`)} as email_id, chosen.*, place < size as in_test from chosen cross join share
    ), written as (
      ${insertSelected(emails, {
        id: sql`dealt.email_id`,
        projectId: sql`${projectId}`,
        messageId: sql`(${sql.param(messageIds)}::uuid[])[case when in_test then 1 + ${turn} else 1 end]`,
        contactId: sql`dealt.id`,
        campaignId: sql`${id}`,
        recipient: sql`dealt.email`,
        variant: sql`case when in_test then 1 + ${turn} end`,
        source: sql`'CAMPAIGN'`,
        status: sql`'PENDING'`,
      })}
      from dealt
      returning ${emails.variant}
    ), waiting as (
      ${insertSelected(emailQueue, {
        emailId: sql`dealt.email_id`,
        projectId: sql`${projectId}`,
        campaignId: sql`${id}`,
        dueAt: sql`case when in_test then ${inTest.dueAt} else ${untilDecided} end`,
        warmupRank: sql`case when in_test then ${inTest.warmupRank} end`,
        asleep: sql`not in_test`,
      })}
      from dealt
    ) select count(*)::int as added, count(variant)::int as tested from written`);
  if (!row) throw new Error("An aggregate returned no row.");
  return row;
}
