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

/** Whether a try ended for a reason that may be the address's: a full mailbox, a server out of reach. */
function wears({ status, suppress, events }: DeliveryResult): boolean {
  const cause = events.at(-1)?.data["cause"];
  return status === "BOUNCED" && suppress === null && !causesOfSender.some((one) => one === cause);
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
    and ${back.createdAt} > coalesce((
      select coalesce(${taken.deliveredAt}, ${taken.sentAt}) from ${emails} ${taken}
      where ${taken.contactId} = mail.contact_id
        and lower(${taken.recipient}) = lower(mail.recipient) and (${taken.deliveredAt} is not null
        or ${taken.sentAt} is not null and not exists (
          select from ${emailEvents} where ${emailEvents.emailId} = ${taken.id}
            and ${emailEvents.name} = 'bounced'))
      order by ${taken.createdAt} desc limit 1), '-infinity'))`;

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
        ), worn as materialized (
          select mail.*, 'hard_bounce' as suppress from mail
          join ${contacts} on ${contacts.id} = mail.contact_id
          where ${cameBack} >= ${softBouncesThatAreHard}::int
        ), ${suppressedRecipients("worn")}
        select count(*) from worn`,
      ),
    );
  } catch (error) {
    log.error({ code: errorCode(error) }, "Addresses that wore out could not be suppressed.");
  }
}
