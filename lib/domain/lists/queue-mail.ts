import type { ReactElement } from "react";
import { render } from "react-email";
import type { Transaction } from "@/db/client";
import { mailAboutContacts } from "@/db/schema";
import { acceptUnits } from "@/lib/domain/emails/accept";
import type { OwnMail } from "@/lib/domain/own-mails/render";
import { AppError } from "@/lib/ground/errors";
import { domainOf, normalizeAddress } from "@/lib/mail/address";

export interface MailOptions {
  /** Ends up in the captured mailbox, like everything a test key causes. */
  testMode: boolean;
}

/** The sender of a list's or form's mail; `list` is the name it goes by. */
export interface ListSender {
  projectId: string;
  list: string;
  fromEmail: string;
  fromName: string;
  /** The verified domain that signs; null: there is none. */
  domain: string | null;
  /** Where the links of that domain's mail lead; null: to APP_URL. */
  trackingHost: string | null;
}

function senderOf(row: ListSender & { domain: string }) {
  const address = normalizeAddress(row.fromEmail);
  const own = address !== null && domainOf(address) === row.domain;
  return {
    from: {
      email: own ? address : `no-reply@${row.domain}`,
      name: row.fromName || row.list,
    },
    replyTo: own ? null : address,
  };
}

/**
 * Queues one mail of a list in the caller's transaction. Throws DOMAIN_NOT_VERIFIED (when no domain of the project
 * is verified) and PAYMENT_REQUIRED.
 */
export async function queueListMail(
  tx: Transaction,
  row: ListSender,
  { testMode }: MailOptions,
  mail: {
    to: { email: string; name: string };
    subject: string;
    letter: ReactElement;
    /** Goes out instead of subject and letter. */
    own: OwnMail | null;
    /** uuid */
    emailId: string;
    headers?: Record<string, string>;
    metadata: Record<string, string>;
    /** uuid of the contact whom it names to others: what it says goes with them. */
    about?: string;
  },
): Promise<void> {
  const { domain } = row;
  if (domain === null) {
    throw new AppError(
      "DOMAIN_NOT_VERIFIED",
      `The list ${row.list} writes to this person, and no domain of this project is verified to send from.`,
    );
  }
  const [accepted] = await acceptUnits(tx, [
    {
      projectId: row.projectId,
      testMode,
      by: { origin: "system", actorId: null },
      messages: [
        {
          ...senderOf({ ...row, domain }),
          to: [mail.to],
          emailId: mail.emailId,
          subject: mail.own?.subject ?? mail.subject,
          html: mail.own?.html ?? (await render(mail.letter)),
          text: mail.own?.text ?? (await render(mail.letter, { plainText: true })),
          headers: { "Auto-Submitted": "auto-generated", ...mail.headers },
          metadata: mail.metadata,
          // People choose names freely: anything in them that looks like Liquid stays text.
          liquid: false,
          source: "LIST",
          templateId: null,
          templateUuid: mail.own?.templateId ?? null,
          data: null,
          attachments: [],
          subscribed: null,
          scheduledAt: null,
          sendBefore: null,
          trackOpens: false,
          trackClicks: false,
        },
      ],
    },
  ]);
  if (accepted instanceof Error) throw accepted;
  const [messageId] = accepted?.messageIds ?? [];
  if (mail.about === undefined || messageId === undefined) return;
  const { projectId } = row;
  await tx.insert(mailAboutContacts).values({ messageId, projectId, contactId: mail.about });
}
