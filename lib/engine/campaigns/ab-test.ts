import { eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { campaigns, contacts, emailQueue, emails } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { highestRate } from "@/lib/domain/ab-tests/probability-to-be-best";
import { readDecision } from "@/lib/domain/ab-tests/result";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { waitingColumns } from "@/lib/domain/warm-up/hold-back";
import { asleepOfCampaigns, newPlace, queuedIn } from "@/lib/ground/queue/email-queue";
import { isWarming } from "./audience";
import { untilDecided } from "./assign-variants";
import { hasUntried } from "./end";

/*
 * What the row of a campaign with an A/B test calls for once its audience has been selected:
 *   winner_due_at null             the test goes out: looked at until each in it was tried once
 *   everybody is in the test       no winner is needed: it ends as any other
 *   winner_due_at set, not come    it waits
 *   winner_due_at come             the winner is decided, by what the figures say now
 *   winner set, released_at null   what waited is given the winner's content, a part at a time
 *   released_at set                it ends as any other
 * In any of these states, a person can choose the winner until there is one. The steps are the campaign's: one
 * transaction each, under its row's lock, so that a winner is decided once.
 */

const releasedAtOnce = 20_000;
const lockedSeconds = 2;

export interface TestStep {
  set?: PgUpdateSetSource<typeof campaigns>;
  /** Seconds until the next step. */
  next: number;
  /** Whether mail that waited for the winner may go out now. */
  released?: boolean;
}

/** The step that the test calls for; null when there is none and the campaign is sent like any other. */
export async function takeTestStep(
  tx: Transaction,
  campaign: CampaignRow,
): Promise<TestStep | null> {
  const { abTest, variantMessageIds, winner, winnerDueAt } = campaign;
  if (abTest === null || variantMessageIds === null || campaign.releasedAt !== null) return null;
  if (winner !== null) return release(tx, campaign, variantMessageIds[winner - 1] ?? "");
  if (winnerDueAt === null) {
    if (campaign.recipients === campaign.tested || (await hasUntried(tx, campaign.id))) return null;
    const seconds = abTest.winnerAfterMinutes * 60;
    return {
      set: { winnerDueAt: sql`app_now() + make_interval(secs => ${seconds})`, updatedAt: now },
      next: seconds,
    };
  }
  const seconds = await secondsUntilDue(tx, campaign.id);
  if (seconds > 0) return { next: seconds };
  const decision = await readDecision(
    tx,
    { ...campaign, variants: variantMessageIds.length },
    { by: "figures", metric: abTest.winnerMetric },
  );
  const best = 1 + highestRate(decision.variants);
  return {
    set: { winner: best, winnerAt: now, winnerDecision: decision, updatedAt: now },
    next: 0,
  };
}

async function secondsUntilDue(tx: Transaction, id: string): Promise<number> {
  const [row] = await tx
    .select({
      seconds: sql<number>`extract(epoch from ${campaigns.winnerDueAt} - app_now())::float8`,
    })
    .from(campaigns)
    .where(eq(campaigns.id, id));
  return row?.seconds ?? 0;
}

/** Releases waiting mail with the winner's content, to be claimed or to be let out by its domain's warm-up. */
async function release(
  tx: Transaction,
  campaign: CampaignRow,
  messageId: string,
): Promise<TestStep> {
  const { id } = campaign;
  const since = sql`coalesce((select ${contacts.createdAt} from ${contacts}
    where ${contacts.id} = ${emails.contactId}), app_now())`;
  const columns = (await isWarming(tx, campaign, messageId))
    ? waitingColumns(sql`${emails.contactId}`, since)
    : { dueAt: sql`app_now()` };
  const waits = sql`${emailQueue.campaignId} = ${id} and ${asleepOfCampaigns}
    and ${emailQueue.dueAt} = ${untilDecided}`;
  const [row] = await tx.execute<{ released: number; more: boolean }>(sql`
    with chosen as materialized (
      select ${emailQueue.emailId} from ${emailQueue} where ${waits}
      limit ${releasedAtOnce} for update skip locked
    ), given as (
      update ${emails} set ${assignments(emails, { messageId: sql`${messageId}::uuid` })}
      from chosen where ${emails.id} = chosen.email_id
    ), released as (
      update ${emailQueue} set ${assignments(emailQueue, {
        ...columns,
        asleep: sql`false`,
        place: newPlace,
      })}
      from ${emails}
      where ${queuedIn("chosen", "email_id")} and ${emails.id} = ${emailQueue.emailId}
      returning 1
    )
    select (select count(*)::int from released) as released, exists (
      select from ${emailQueue}
      where ${waits} and ${emailQueue.emailId} not in (select email_id from chosen)
    ) as more`);
  const released = row !== undefined && row.released > 0;
  if (!row?.more) return { set: { releasedAt: now }, next: 0, released };
  return { next: released ? 0 : lockedSeconds, released };
}
