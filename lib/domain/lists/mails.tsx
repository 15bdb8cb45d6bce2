import { and, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { contacts, domains, emails, lists, messages, projects, subscribers } from "@/db/schema";
import { Letter } from "@/emails/letter";
import { ListFoot } from "@/emails/list-footer";
import { isAppError } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { domainOf, normalizeAddress } from "@/lib/mail/address";
import { languageIn, textsFor } from "@/lib/ground/texts/texts";
import { letterLook } from "@/lib/mail/design/letter-look";
import { contactToken } from "@/lib/mail/tracking/tokens";
import { baseUrlOf, mailUrls } from "@/lib/mail/tracking/urls";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import { postalAddress } from "@/lib/mail/content/postal-address";
import { ownMail } from "@/lib/domain/own-mails/own-mail";
import type { OwnMail } from "@/lib/domain/own-mails/render";
import { mailVariables } from "@/lib/domain/own-mails/variables";
import { queueListMail, type MailOptions } from "./queue-mail";
import { findSigningDomain, senderAddress } from "./sender";

/** A second confirmation or notification for the same membership is not sent before this much time has passed. */
const quietMinutes = { confirmation: 10, unsubscribeNotification: 60 } as const;

/**
 * The domain that signs the list's mail: the sender's own when it is verified, else the project's
 * oldest, the built-in one last; null when the project has no verified domain.
 */
const signingDomain = sql<{ name: string; trackingHost: string | null } | null>`(
  select jsonb_build_object('name', ${domains.name}, 'trackingHost',
    case when ${domains.trackingSince} is not null then ${domains.trackingHost} end) from ${domains}
  where ${domains.projectId} = ${subscribers.projectId} and ${domains.status} = 'VERIFIED'
  order by ${domains.name} = lower(substring(${lists.fromEmail} from '[^@]+$')) desc,
    ${domains.builtIn}, ${domains.id}
  limit 1)`;

async function findMembership(tx: Transaction, subscriberId: string) {
  const [row] = await tx
    .select({
      projectId: subscribers.projectId,
      contactId: subscribers.contactId,
      listId: subscribers.listId,
      list: lists.name,
      fromEmail: lists.fromEmail,
      fromName: lists.fromName,
      confirmationTemplateId: lists.confirmationTemplateId,
      welcomeTemplateId: lists.welcomeTemplateId,
      remindMessage: lists.remindMessage,
      listContact: lists.contact,
      postalAddress: projects.postalAddress,
      project: projects.name,
      language: projects.language,
      brand: projects.brand,
      data: contacts.data,
      tags: contacts.tags,
      fields: subscribers.fields,
      email: contacts.email,
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      signing: signingDomain,
    })
    .from(subscribers)
    .innerJoin(lists, eq(lists.id, subscribers.listId))
    .innerJoin(contacts, eq(contacts.id, subscribers.contactId))
    .innerJoin(projects, eq(projects.id, subscribers.projectId))
    .where(eq(subscribers.id, subscriberId));
  if (!row) throw new Error("A list's mail was asked for without a membership.");
  const { signing, ...rest } = row;
  const { projectId, fromEmail } = row;
  // The statement compares the sender's domain as it is kept.
  if (domainOf(fromEmail) !== domainOf(senderAddress(fromEmail))) {
    return { ...rest, ...(await findSigningDomain(tx, projectId, fromEmail)) };
  }
  return { ...rest, domain: signing?.name ?? null, trackingHost: signing?.trackingHost ?? null };
}
type Row = Awaited<ReturnType<typeof findMembership>>;

/** A mail that must not undo what it reports: if it is refused, it is skipped. */
async function queueIfPossible(
  ...args: [Transaction, Row, MailOptions, Parameters<typeof queueListMail>[3]]
): Promise<void> {
  try {
    await queueListMail(...args);
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn({ code: error.code, listId: args[1].listId }, "a list's mail was not sent");
  }
}

/** Whether a mail like this one went to the address within the quiet time. */
async function sentLately(
  tx: Transaction,
  row: Row,
  to: string,
  metadata: { mail: keyof typeof quietMinutes; subscriberId: string },
): Promise<boolean> {
  const [sent] = await tx
    .select({ id: emails.id })
    .from(contacts)
    .innerJoin(emails, eq(emails.contactId, contacts.id))
    .innerJoin(messages, eq(messages.id, emails.messageId))
    .where(
      and(
        hasAddress(row.projectId, to),
        gt(
          emails.createdAt,
          sql`app_now() - make_interval(mins => ${quietMinutes[metadata.mail]})`,
        ),
        eq(emails.source, "LIST"),
        sql`${messages.metadata} @> ${JSON.stringify(metadata)}::jsonb`,
      ),
    )
    .limit(1);
  return sent !== undefined;
}

/** The list's postal address, else the project's. */
function addressOf(row: Row): string[] {
  const own = postalAddress(row.listContact);
  return own.length > 0 ? own : row.postalAddress.split("\n").filter((line) => line.trim());
}

/** The texts of mail to the member, and of mail to the owner of the list. */
const memberTexts = (row: Row) => textsFor(languageIn(row.data), row.language);
const ownerTexts = (row: Row) => textsFor(row.language);

const urlsOf = (row: Row) => mailUrls(baseUrlOf(row.trackingHost));

/** The list's own mail with the reason why it comes; null: ours. `urls` lead where ours would. */
function ownMailOf(
  tx: Transaction,
  row: Row,
  mail: "confirmation" | "welcome",
  { emailId, mailReason, urls }: { emailId: string; mailReason: string; urls: Urls },
): Promise<OwnMail | null> {
  const { projectId, listId: id, list: name } = row;
  const templateId = mail === "welcome" ? row.welcomeTemplateId : row.confirmationTemplateId;
  const of = { projectId, place: "list", id, name, mail, templateId } as const;
  const variables = mailVariables({
    ...{ contact: row, fields: row.fields, emailId, mailReason },
    ...{ listName: name, projectName: row.project, sender: addressOf(row) },
    baseUrl: baseUrlOf(row.trackingHost),
  });
  return ownMail(tx, of, { ...variables, ...urls }, urls.confirmUrl ?? null);
}
interface Urls {
  confirmUrl?: string;
  unsubscribeUrl?: string;
  preferencesUrl?: string;
}

const nameOf = (row: Row) => `${row.firstName} ${row.lastName}`.trim();

/**
 * Asks a member (uuid) to confirm; resolves to false, without asking, when that was done in the last ten minutes.
 * The caller holds the contact's lock. Throws DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED.
 */
export async function sendConfirmation(
  tx: Transaction,
  subscriberId: string,
  options: MailOptions,
): Promise<boolean> {
  const row = await findMembership(tx, subscriberId);
  const metadata = {
    mail: "confirmation",
    subscriberId: encodeId("subscriber", subscriberId),
  } as const;
  if (await sentLately(tx, row, row.email, metadata)) return false;
  const { list, email } = row;
  const { language, dir, text } = memberTexts(row);
  const confirmUrl = urlsOf(row).confirm(subscriberId, email);
  const reason = `${text("mail.confirmation.foot")} ${row.remindMessage ?? ""}`.trim();
  const emailId = newId(row.projectId);
  await queueListMail(tx, row, options, {
    emailId,
    own: await ownMailOf(tx, row, "confirmation", {
      ...{ emailId, mailReason: reason, urls: { confirmUrl } },
    }),
    to: { email, name: nameOf(row) },
    subject: text("mail.confirmation.subject", { list }),
    letter: (
      <Letter
        {...{ language, dir }}
        brand={list}
        look={letterLook(row.brand)}
        title={text("mail.confirmation.title")}
        preview={text("mail.confirmation.preview", { list })}
        text={text("mail.confirmation.text", { list, email })}
        action={{
          label: text("mail.confirmation.button"),
          url: confirmUrl,
          hint: text("mail.copyLink"),
        }}
        foot={<ListFoot reason={reason} sender={addressOf(row)} />}
      />
    ),
    metadata,
  });
  return true;
}

/** Greets a new member (uuid), with one-click unsubscribe (RFC 8058). */
export async function sendWelcome(
  tx: Transaction,
  subscriberId: string,
  options: MailOptions,
): Promise<void> {
  const row = await findMembership(tx, subscriberId);
  const token = contactToken(row.contactId, row.listId);
  const { list, email } = row;
  const { language, dir, text } = memberTexts(row);
  const reason = row.remindMessage || text("mail.welcome.reason", { list });
  const preferencesUrl = urlsOf(row).preferences(token);
  const unsubscribeUrl = urlsOf(row).unsubscribePage(token);
  const emailId = newId(row.projectId);
  await queueIfPossible(tx, row, options, {
    emailId,
    own: await ownMailOf(tx, row, "welcome", {
      ...{ emailId, mailReason: reason, urls: { preferencesUrl, unsubscribeUrl } },
    }),
    to: { email, name: nameOf(row) },
    subject: text("mail.welcome.subject", { list }),
    letter: (
      <Letter
        {...{ language, dir }}
        brand={list}
        look={letterLook(row.brand)}
        title={
          row.firstName
            ? text("mail.welcome.title.named", { name: row.firstName })
            : text("mail.welcome.title")
        }
        preview={text("mail.welcome.preview", { list })}
        text={text("mail.welcome.text", { list, email })}
        foot={
          <ListFoot
            reason={reason}
            sender={addressOf(row)}
            preferences={{ label: text("mail.preferences"), url: preferencesUrl }}
            color={letterLook(row.brand)?.quiet}
          />
        }
      />
    ),
    headers: {
      "List-Unsubscribe": `<${urlsOf(row).unsubscribe(token)}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    metadata: { mail: "welcome", subscriberId: encodeId("subscriber", subscriberId) },
  });
}

/**
 * Tells the owner of the list (its contact, otherwise its sender) that a member (uuid) left; at most once an hour.
 */
export async function notifyUnsubscribe(
  tx: Transaction,
  subscriberId: string,
  options: MailOptions,
): Promise<void> {
  const row = await findMembership(tx, subscriberId);
  const to = normalizeAddress(row.listContact.email ?? "") ?? normalizeAddress(row.fromEmail);
  const metadata = {
    mail: "unsubscribeNotification",
    subscriberId: encodeId("subscriber", subscriberId),
  } as const;
  if (to === null || (await sentLately(tx, row, to, metadata))) return;
  const { list, email } = row;
  const { language, dir, text } = ownerTexts(row);
  const person = nameOf(row) ? `${nameOf(row)} (${email})` : email;
  await queueIfPossible(tx, row, options, {
    ...{ own: null, emailId: newId(row.projectId), about: row.contactId },
    to: { email: to, name: row.listContact.company ?? "" },
    subject: text("mail.departure.subject", { list, email }),
    letter: (
      <Letter
        {...{ language, dir }}
        brand={list}
        look={letterLook(row.brand)}
        title={text("mail.departure.title")}
        preview={text("mail.departure.preview", { list, email })}
        text={text("mail.departure.text", { list, person })}
        foot={text("mail.departure.foot")}
      />
    ),
    metadata,
  });
}
