import { sql } from "drizzle-orm";
import { executePrepared, type Transaction } from "@/db/client";
import { assignments, fixed, insertSelected, newIdOf } from "@/db/names";
import { emailEvents, emailQueue, emails, messages } from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { firstTimesAfter } from "@/lib/domain/emails/status";
import { countWarmup } from "@/lib/domain/warm-up/figures";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, madeDeliveries } from "@/lib/ground/events/emit";
import { figuresOf, reportFigures, type Effect, type LockedEmail } from "./effect";
import { suppressedRecipients, wordsOf } from "./suppression";

/** `email`: the emails as they are afterwards, beside what the report did to each. */
const changedEmails = fixed(sql`gone as (
      -- Nothing is left to be done for an email that came to its end, and a try under way no longer counts.
      delete from ${emailQueue} using effect
      where ${emailQueue.emailId} = effect.id and effect.status is not null
      returning ${emailQueue.emailId}, ${emailQueue.attempts}
    ), email as (
      update ${emails} set ${assignments(emails, {
        status: sql`coalesce(effect.status, ${emails.status})`,
        attempts: sql`coalesce(gone.attempts, ${emails.attempts})`,
        ...firstTimesAfter(sql`effect.status`),
      })}
      from effect left join gone on gone.email_id = effect.id
      where ${emails.id} = effect.id
      returning ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
        ${personOf(emails.contactId)} as contact_id,
        ${emails.recipient}, ${emails.messageId}, effect.*
    )`);

/** What an event says in words of ours. */
const wordless = ["type", "cause", "reason", "via"];

const notedEvents = fixed(sql`noted as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`event`,
        // Of somebody who was deleted, nothing that a server or a provider says.
        data: sql`case when recipient is null
          then jsonb_strip_nulls(jsonb_build_object(${sql.raw(
            wordless.map((name) => `'${name}', data::jsonb -> '${name}'`).join(", "),
          )})) else data::jsonb end`,
      })} from email
      returning ${emailEventColumns}
    ), deliveries as (
      ${emailEventDeliveries(sql`noted`)}
    )`);

const moved = fixed(sql`moved as (
      select email.*, (select ${messages.domainId} from ${messages}
        where ${messages.id} = email.message_id and not ${messages.test}) as domain_id
      from email
    )`);

/**
 * Writes what reports do to emails that are locked, each named once, in one statement: status, times, events, figures,
 * suppression. Resolves to whether webhooks are to be told of any.
 */
export async function writeEffects(
  tx: Transaction,
  effects: readonly { email: LockedEmail; effect: Effect }[],
): Promise<boolean> {
  if (effects.length === 0) return false;
  const e = <Value>(read: (effect: Effect) => Value) =>
    sql.param(effects.map(({ effect }) => read(effect)));
  const figures = effects.map(({ email, effect }) => figuresOf(email, effect));
  const [row] = await executePrepared<{ told: boolean }>(
    tx,
    sql`
    with effect as materialized (
      select * from unnest(
        ${sql.param(effects.map(({ email }) => email.id))}::uuid[],
        ${e(({ status }) => status)}::text[], ${e(({ event }) => event)}::text[],
        ${e(({ data }) => JSON.stringify(data))}::text[], ${e(({ suppress }) => suppress)}::text[],
        ${e(({ data }) => wordsOf(data))}::text[],
        ${sql.join(
          reportFigures.map((name) => sql`${sql.param(figures.map((one) => one[name]))}::int[]`),
          sql`, `,
        )}
      ) as given(id, status, event, data, suppress, words, ${sql.raw(reportFigures.join(", "))})
    ), ${changedEmails}, ${notedEvents}, ${moved}, counted as (
      -- Before the suppressions, as where results are recorded: Postgres runs what nobody reads from the last to the
      -- first, and two statements that take the same rows in opposite orders would end each other.
      ${addFigures("moved", reportFigures, { variants: true })}
    ), ${countWarmup}, ${suppressedRecipients("email")}
    select ${madeDeliveries(sql`deliveries`)} or ${madeDeliveries(sql`contacts_told`)} as told`,
  );
  return row?.told === true;
}
