import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { excluded } from "@/db/names";
import type { Database } from "@/db/client";
import { errorCode, isDatabaseAway } from "@/db/errors";
import { campaigns, emails, receivingDomains } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { atMost } from "@/lib/ground/at-most";
import { createResolver } from "@/lib/ground/dns/resolver";
import { log } from "@/lib/ground/log";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { lookUpReceiver } from "./operator";
import { recipientDomain } from "./receiver-of";

/** Of one campaign, those with the most recipients. */
const mostDomains = 300;
/** A domain with fewer recipients in a campaign is a receiver of its own. */
const leastRecipients = 5;
const freshDays = 7;
const questionsAtOnce = 20;

/**
 * Looks up who takes the mail of the domains that campaigns write to most, once a week for each domain, and
 * once for each campaign that has its audience. Resolves to how many were learned.
 */
export async function learnReceivers(db: Database, signal: AbortSignal): Promise<number> {
  const { id, projectId, status, audienceDoneAt, receiversReadAt } = campaigns;
  const unread = await db
    .select({ campaignId: id })
    .from(campaigns)
    .where(
      and(
        ...[eq(status, "SENDING"), isNotNull(audienceDoneAt), isNull(receiversReadAt)],
        worksHere(projectId),
      ),
    )
    .orderBy(audienceDoneAt)
    .limit(20);
  let learned = 0;
  for (const { campaignId } of unread) {
    if (signal.aborted) break;
    try {
      learned += await learnOf(db, campaignId);
      await db.update(campaigns).set({ receiversReadAt: now }).where(eq(id, campaignId));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // It comes first the next time as well, so it must not keep the others from their turn.
      log.error({ campaignId, code: errorCode(error) }, "Receivers could not be looked up.");
    }
  }
  return learned;
}

async function learnOf(db: Database, campaignId: string): Promise<number> {
  const unknown = await db.execute<{ name: string }>(sql`
    select domain.name from (
      select ${recipientDomain(sql`${emails.recipient}`)} as name, count(*) as recipients
      from ${emails} where ${emails.campaignId} = ${campaignId} and ${emails.recipient} is not null
      group by 1 having count(*) >= ${leastRecipients} order by 2 desc limit ${mostDomains}
    ) domain
    where not exists (select from ${receivingDomains}
      where ${receivingDomains.name} = domain.name
        and ${receivingDomains.lookedUpAt} > app_now() - make_interval(days => ${freshDays}))`);
  const resolver = createResolver();
  const oneOf = atMost(questionsAtOnce);
  const answers = await Promise.all(
    unknown.map(({ name }) =>
      oneOf(async () => ({ name, receiver: await lookUpReceiver(resolver, name) })),
    ),
  );
  const withReceiver = answers.flatMap(({ name, receiver }) =>
    receiver ? [{ name, receiver }] : [],
  );
  if (withReceiver.length === 0) return 0;
  await db
    .insert(receivingDomains)
    .values(withReceiver)
    .onConflictDoUpdate({
      target: receivingDomains.name,
      set: { receiver: excluded(receivingDomains.receiver), lookedUpAt: sql`app_now()` },
    });
  return withReceiver.length;
}
