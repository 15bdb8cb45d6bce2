import { and, ne, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import {
  capturedEmails,
  emailEvents,
  emails,
  idempotencyKeys,
  linkClicks,
  links,
  messages,
} from "@/db/schema";
import { eraseDeliveries } from "@/lib/ground/events/erase-deliveries";
import { ownedBy } from "@/lib/ground/by-id";
import { failureData } from "@/lib/ground/events/failure-data";
import { eraseContents } from "./erase-contents";
import { endWaitingMail } from "./end-waiting-mail";

/** Answers are kept for a day and then deleted by a job. */
const answersKeptDays = 2;

/**
 * Takes an address out of answers kept for idempotency keys. An answer is written in the transaction that accepts
 * its mail, so both have the same time: only a few are examined, however many the project has.
 */
async function eraseFromAnswers(
  tx: Transaction,
  projectId: string,
  mail: SQL,
  email: string,
): Promise<void> {
  const quoted = JSON.stringify(email);
  await tx
    .update(idempotencyKeys)
    .set({ response: sql`replace(${idempotencyKeys.response}, ${quoted}, '""')` })
    .where(
      and(
        ownedBy(idempotencyKeys.projectId, projectId),
        sql`${idempotencyKeys.createdAt} = any(array(
          select ${emails.createdAt} from ${emails}
          where ${emails.id} = any(${mail})
            and ${emails.createdAt} > app_now() - make_interval(days => ${answersKeptDays})))`,
        sql`strpos(${idempotencyKeys.response}, ${quoted}) > 0`,
      ),
    );
}

/**
 * A regular expression of Postgres, in small letters, for an address in a link: plain or encoded, and not as the end or
 * the beginning of somebody else's. Before it, `%3d` is the end of a value's name, and `%2b` a plus of a longer address.
 */
function addressInLink(email: string): Record<"before" | "address" | "after", string> {
  const [plain, encoded] = [email, encodeURIComponent(email)].map((text) =>
    text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"),
  );
  const before = "(?:^|[^a-z0-9._+-]|%(?!2b|2d|2e|5f)[0-9a-f]{2})";
  const after = "(?:$|[^a-z0-9.-]|\\.(?:$|[^a-z0-9]))";
  return { before, address: `(?:${plain}|${encoded})`, after };
}

/**
 * Links in these messages (uuids) that hold an address. Those that stand in what the message still says, or that were
 * followed from others' mail, are others' as well and lead on.
 */
async function eraseLinks(
  tx: Transaction,
  { messageIds, emailIds }: { messageIds: string[]; emailIds: string[] },
  email: string,
): Promise<void> {
  const { before, address, after } = addressInLink(email);
  // Up to the address: parameters may have been added behind it.
  const upToIt = sql`substring(lower(${links.url}) from lower(${`^.*?${before}${address}`}))`;
  const said = sql`lower(replace(
    concat_ws(' ', ${messages.html}, ${messages.text}, ${messages.data}::text), '&amp;', '&'))`;
  await tx.delete(links).where(
    and(
      sql`${links.messageId} = any(${sql.param(messageIds)}::uuid[])`,
      sql`lower(${links.url}) ~ lower(${`${before}${address}${after}`})`,
      sql`not exists (select from ${messages}
        where ${messages.id} = ${links.messageId} and strpos(${said}, ${upToIt}) > 0)`,
      sql`not exists (select from ${linkClicks} where ${linkClicks.linkId} = ${links.id}
        and ${linkClicks.emailId} <> all(${sql.param(emailIds)}::uuid[]))`,
    ),
  );
}

/**
 * Takes a person out of mail to them: what waits is not sent, the rest keeps its figures.
 *
 * @param mail SQL of an array of ids of emails
 * @param addresses what they are known by in what quotes them
 */
export async function eraseMail(
  tx: Transaction,
  projectId: string,
  { mail, addresses }: { mail: SQL; addresses: readonly string[] },
): Promise<void> {
  await tx.delete(capturedEmails).where(sql`${capturedEmails.emailId} = any(${mail})`);
  // Events may quote the address (a server's answer does): their text is removed, the figures stay.
  await tx
    .update(emailEvents)
    .set({ data: {} })
    .where(and(sql`${emailEvents.emailId} = any(${mail})`, ne(emailEvents.data, {})));
  await eraseDeliveries(tx, mail);
  const waiting = sql`
    select ${emails.id} from ${emails}
    where ${emails.id} = any(${mail}) and ${emails.status} = 'PENDING'`;
  await endWaitingMail(tx, waiting, failureData("contact_deleted"));
  for (const email of addresses) await eraseFromAnswers(tx, projectId, mail, email);
  const named = await tx
    .update(emails)
    .set({ contactId: null, recipient: null, recipientName: null, subject: null })
    .where(sql`${emails.id} = any(${mail})`)
    .returning({ id: emails.id, messageId: emails.messageId });
  if (named.length === 0) return;
  const messageIds = [...new Set(named.map(({ messageId }) => messageId))];
  await eraseContents(tx, messageIds);
  const of = { messageIds, emailIds: named.map(({ id }) => id) };
  for (const email of addresses) await eraseLinks(tx, of, email);
}
