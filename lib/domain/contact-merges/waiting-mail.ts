import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { campaigns, emails } from "@/db/schema";
import { endWaitingMail } from "@/lib/domain/contacts/end-waiting-mail";
import { AppError } from "@/lib/ground/errors";
import { failureData } from "@/lib/ground/events/failure-data";

/*
 * One email per campaign and person, also when the person was two contacts. Mail of campaigns that only one of them
 * gets is sent to the address that it was accepted for.
 */

/** Emails of the kept contact, beside those of the other. */
const k = alias(emails, "k");

const sameCampaign = (kept: string, other: string) => sql`
  from ${emails} join ${emails} k on ${k.campaignId} = ${emails.campaignId} and ${k.contactId} = ${kept}
  where ${emails.contactId} = ${other} and ${emails.campaignId} is not null`;

/** SQL: waiting emails to the other contact of campaigns that the kept one gets, too. */
const repeatedOfOther = (kept: string, other: string): SQL => sql`
  select ${emails.id} ${sameCampaign(kept, other)} and ${emails.status} = 'PENDING'`;

/** SQL: waiting emails to the kept contact of campaigns that the other has got, or is getting at this moment. */
const repeatedOfKept = (kept: string, other: string): SQL => sql`
  select ${k.id} ${sameCampaign(kept, other)}
    and ${k.status} = 'PENDING' and ${emails.status} <> 'FAILED'`;

/** SQL: ids of the emails that would not be sent. */
export const repeatedMail = (kept: string, other: string): SQL => sql`
  ${repeatedOfOther(kept, other)}
  union
  ${repeatedOfKept(kept, other)} and ${emails.status} <> 'PENDING'`;

const why = failureData("cancelled", "the same person gets this campaign at another address");

/** Ends what the person would get twice. Both contacts are locked. */
export async function endRepeatedMail(tx: Transaction, kept: string, other: string): Promise<void> {
  await endWaitingMail(tx, repeatedOfOther(kept, other), why);
  // What the other is getting at this moment could not be ended: the kept one's then is.
  await endWaitingMail(tx, repeatedOfKept(kept, other), why);
}

/** SQL: the campaign (uuid) of an email is still choosing its recipients. */
const isOpen = (campaignId: SQL) => sql`exists (select from ${campaigns}
  where ${campaigns.id} = ${campaignId} and ${campaigns.status} in ('SENDING', 'PAUSED')
    and ${campaigns.audienceDoneAt} is null)`;

/**
 * Refuses while a campaign that has chosen one of the two may still choose the other: they would get it twice. Such
 * campaigns go on choosing when the transaction has ended. Throws CONFLICT.
 */
export async function refuseWhileChosen(
  tx: Transaction,
  projectId: string,
  both: readonly string[],
): Promise<void> {
  const open = await tx
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, projectId),
        isNull(campaigns.audienceDoneAt),
        sql`${campaigns.status} in ('SENDING', 'PAUSED')`,
      ),
    )
    .for("share");
  for (const { id, name } of open) {
    const [{ chosen = 0 } = {}] = await tx.execute<{ chosen: number }>(sql`
      select count(*)::int as chosen from ${emails} where ${emails.campaignId} = ${id}
        and ${emails.contactId} = any(${sql.param(both)}::uuid[])`);
    if (chosen !== 1) continue;
    throw new AppError(
      "CONFLICT",
      `The campaign “${name}” is still choosing its recipients, and one of the two is among them. Try again when it has.`,
    );
  }
}

/**
 * SQL that makes the emails of the CTE `page` (`id`, `campaign_id`) the kept contact's: all but second emails of one
 * campaign, and those of campaigns that are still choosing, which would choose the contact again.
 */
export const movedMail = (kept: string, other: string): SQL => sql`
  update ${emails} set ${assignments(emails, { contactId: sql`${kept}::uuid` })}
  from page
  where ${emails.id} = page.id and ${emails.contactId} = ${other}
    and (page.campaign_id is null or not ${isOpen(sql`page.campaign_id`)} and not exists (
      select from ${emails} k where ${k.campaignId} = page.campaign_id and ${k.contactId} = ${kept}))`;

/** What waits is the kept contact's at once, whose choices decide whether it goes. */
export async function moveWaitingMail(tx: Transaction, kept: string, other: string): Promise<void> {
  await tx.execute(sql`
    with page as materialized (
      select ${emails.id}, ${emails.campaignId} from ${emails}
      where ${emails.contactId} = ${other} and ${emails.status} = 'PENDING'
    ) ${movedMail(kept, other)}`);
}
