import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { executePrepared, type Database } from "@/db/client";
import { errorCode, retryConflicts } from "@/db/errors";
import { contacts, emailEvents, emails } from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { causesOfSender, softBouncesThatAreHard } from "@/lib/domain/delivery-reports/effect";
import { suppressedRecipients, wordsOf } from "@/lib/domain/delivery-reports/suppression";
import { log } from "@/lib/ground/log";
import type { DeliveryResult } from "./result";

/** Of an address or its mailbox, whoever says it. A relay's quota, or a server out of reach, says nothing of it. */
const codeOfMailbox = /^[45]\.[12]\./;

/** Whether somebody refused the mailbox, for a reason that may pass. */
function wears({ status, suppress, events }: DeliveryResult): boolean {
  const { cause, enhancedCode, host } = events.at(-1)?.data ?? {};
  if (status !== "BOUNCED" || suppress !== null) return false;
  if (causesOfSender.some((one) => one === cause)) return false;
  const ofMailbox = typeof enhancedCode === "string" && codeOfMailbox.test(enhancedCode);
  return ofMailbox || (host !== undefined && cause === "mailbox_full");
}

const [late, back, taken] = [
  alias(emails, "late"),
  alias(emailEvents, "back"),
  alias(emails, "taken"),
];
/** Whoever has thousands of emails is judged by these. */
const newest = 200;

/** SQL: how many emails to a person's address came back since the last that a server took and nobody sent back. */
const cameBack = sql`(
  select count(distinct ${back.emailId}) from ${emailEvents} ${back}
  where ${back.name} = 'bounced' and ${back.emailId} = any(array(
      select ${late.id} from ${emails} ${late} where ${late.contactId} = mail.contact_id
        and lower(${late.recipient}) = lower(mail.recipient)
      order by ${late.createdAt} desc limit ${newest}::int))
    and coalesce(${back.data} ->> 'cause', '') <> all(${sql.param(causesOfSender)}::text[])
    and not ${back.data} ? 'unproven'
    and (${back.data} ? 'via' or ${back.data} ->> 'enhancedCode' ~ ${codeOfMailbox.source}
      or ${back.data} ? 'host' and ${back.data} ->> 'cause' = 'mailbox_full')
    and ${back.createdAt} > coalesce((
      select max(coalesce(${taken.deliveredAt}, ${taken.sentAt})) from ${emails} ${taken}
      where ${taken.contactId} = mail.contact_id
        and lower(${taken.recipient}) = lower(mail.recipient) and (${taken.deliveredAt} is not null
        or ${taken.sentAt} is not null and not exists (
          select from ${emailEvents} where ${emailEvents.emailId} = ${taken.id}
            and ${emailEvents.name} = 'bounced'))), '-infinity'))`;

/**
 * Suppresses addresses that mail has come back from so often in a row that nobody is there, as reports of others do.
 * After the results are recorded: what is missed because the process ends is seen at the next one.
 */
export async function suppressWornOut(
  db: Database,
  recorded: readonly DeliveryResult[],
): Promise<void> {
  const worn = recorded.filter(wears);
  if (worn.length === 0) return;
  const ids = sql.param(worn.map(({ email }) => email.id));
  const words = sql.param(worn.map(({ events }) => wordsOf(events.at(-1)?.data ?? {})));
  try {
    await retryConflicts(() =>
      executePrepared(
        db,
        sql`
        with mail as materialized (
          select ${emails.id}, ${emails.projectId}, ${personOf(emails.contactId)} as contact_id,
            ${emails.recipient}, given.words
          from unnest(${ids}::uuid[], ${words}::text[]) as given(id, words)
          join ${emails} on ${emails.id} = given.id
          where ${emails.recipient} is not null and ${emails.contactId} is not null
        ), tired as materialized (
          select mail.* from mail where ${cameBack} >= ${softBouncesThatAreHard}::int order by contact_id
        ), worn as materialized (
          -- Whoever is being deleted meanwhile is not suppressed afterwards, in clear.
          select tired.*, 'hard_bounce' as suppress from tired
          cross join lateral (select from ${contacts} where ${contacts.id} = tired.contact_id for share) there
        ), ${suppressedRecipients("worn")}
        select count(*) from worn`,
      ),
    );
  } catch (error) {
    log.error({ code: errorCode(error) }, "Addresses that wore out could not be suppressed.");
  }
}
