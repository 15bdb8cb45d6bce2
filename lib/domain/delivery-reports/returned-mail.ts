import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { emails } from "@/db/schema";
import { unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { coalesceFor } from "@/lib/ground/coalesce";
import { storableText } from "@/lib/ground/storable-text";
import { decodeId } from "@/lib/ground/ids/ids";
import { bounceClassOf } from "@/lib/mail/reports/bounce-class";
import type { RecipientStatus, ReturnedMail } from "@/lib/mail/reports/report";
import type { ReturnedIds } from "@/lib/mail/reports/returned-ids";
import { readReturnedMail, returnedIdsOf } from "@/lib/mail/reports/returned-mail";
import { readReturnPath, readUnsubscribeAddress } from "@/lib/mail/return-path";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { recordReportOf, type DeliveryReport } from "./report";

/** The email that returned mail is about, looked up once for everything that is done with it. */
interface ReturnedEmail {
  /** uuid */
  emailId: string;
  projectId: string;
  /** null once the contact was deleted. */
  recipient: string | null;
}

/** One of our addresses that mail may come back to; the address's signature proves which email it is for. */
export type ReturnAddress =
  | ({ kind: "bounce" } & ReturnedEmail)
  | ({ kind: "unsubscribe" } & ReturnedEmail)
  /** Feedback loops send here; the report says which email it is about. */
  | { kind: "complaint" };

/** Feedback loops are told to send complaints to this name at MAIL_HOSTNAME. */
const complaintsLocalPart = "fbl";

/**
 * Null when it is not ours, forged, or belongs to an email that is gone. `ownHost` is MAIL_HOSTNAME, in lower case.
 */
export async function findReturnAddress(
  db: Database,
  address: string,
  ownHost: string,
): Promise<ReturnAddress | null> {
  if (address.toLowerCase() === `${complaintsLocalPart}@${ownHost}`) return { kind: "complaint" };
  const bounced = readReturnPath(address);
  const emailId = bounced ?? readUnsubscribeAddress(address);
  const email = emailId === null ? null : await findEmail(db, emailId);
  return email && { kind: bounced ? "bounce" : "unsubscribe", ...email };
}

async function readEmails(
  db: Database,
  emailIds: readonly string[],
): Promise<(ReturnedEmail | null)[]> {
  const rows = await executePrepared<{ id: string; project_id: string; recipient: string | null }>(
    db,
    sql`
    select ${emails.id}, ${emails.projectId}, ${emails.recipient} from ${emails}
    where ${emails.id} = any(${sql.param(emailIds)}::uuid[])`,
  );
  const ofId = new Map(
    rows.map(({ id, project_id: projectId, recipient }) => [
      id,
      { emailId: id, projectId, recipient },
    ]),
  );
  return emailIds.map((id) => ofId.get(id) ?? null);
}

/** Sessions that ask at the same time share a statement. */
const findEmail = coalesceFor(readEmails);

/**
 * Does what mail to one of our addresses asks for, or records what it reports, and resolves after the commit. Mail
 * that is not understood, or that is an automatic reply, changes nothing; nobody is ever sent an answer.
 */
export async function takeReturnedMail(
  db: Database,
  address: ReturnAddress,
  { raw, emptySender }: { raw: Buffer; emptySender: boolean },
): Promise<void> {
  const mail = readReturnedMail(raw);
  if (address.kind === "unsubscribe") {
    // An automatic reply or a bounce does not come from the person; a mail program may use any sender to ask for them.
    const isAsked = mail.kind === "unsubscribe" || (mail.kind === "other" && !emptySender);
    if (!isAsked) return;
    await unsubscribeByToken(db, recipientToken(address.emailId));
    return;
  }
  const complainedId = address.kind === "complaint" ? emailOf(mail) : null;
  const email =
    address.kind === "bounce"
      ? address
      : complainedId === null
        ? null
        : await findEmail(db, complainedId);
  const reported = email && reportOf(mail, email.recipient);
  if (!reported) return;
  const { emailId, projectId } = email;
  await recordReportOf({ db, projectId }, emailId, reported.report, reported.data);
}

/**
 * By what the mail complained about had of ours: its return path, which is signed, or an id in its Message-ID or its
 * trace, which only its recipient knows.
 */
function emailOf(mail: ReturnedMail): string | null {
  if (mail.kind !== "complaint") return null;
  return readReturnPath(mail.returnPath ?? "") ?? namedBy(mail);
}

function namedBy({ messageId, traceId }: ReturnedIds): string | null {
  return decodeId("email", messageId?.split("@", 1)[0] ?? "") ?? decodeId("email", traceId ?? "");
}

/**
 * Records what a notification reports that came to another address of the project (uuid) than the return path, such as
 * that of From: it is about the project's email whose header it returns. Without our signature in that header, nobody
 * is suppressed for it: who is answered in public sees the Message-ID. Resolves after the commit.
 */
export async function takeStrayReport(db: Database, projectId: string, raw: Buffer): Promise<void> {
  const ids = returnedIdsOf(raw);
  if (!ids) return;
  const proven = readReturnPath(ids.returnPath ?? "");
  const emailId = proven ?? namedBy(ids);
  const email = emailId === null ? null : await findEmail(db, emailId);
  if (email?.projectId !== projectId) return;
  const mail = readReturnedMail(raw);
  const reported = mail.kind === "status" ? reportOf(mail, email.recipient) : null;
  if (!reported) return;
  const { report, data } = reported;
  const project = { db, projectId };
  if (proven !== null || report.kind !== "bounced") {
    await recordReportOf(project, email.emailId, report, data);
    return;
  }
  const doubted = { ...report, hard: false, unproven: true };
  await recordReportOf(project, email.emailId, doubted, { ...data, unproven: true });
}

interface Reported {
  report: DeliveryReport;
  data: Record<string, unknown> & { via: "mail" };
}

function reportOf(mail: ReturnedMail, recipient: string | null): Reported | null {
  if (mail.kind !== "status" && mail.kind !== "complaint") return null;
  const by = mail.reportedBy ? { reportedBy: storableText(mail.reportedBy).slice(0, 255) } : {};
  if (mail.kind === "complaint") {
    return { report: { kind: "complained", type: mail.type }, data: { ...by, via: "mail" } };
  }
  const status = relevantStatus(mail.statuses, recipient);
  const { code, enhancedCode, text } = status.words;
  const data = {
    ...(code === null ? {} : { code }),
    ...(enhancedCode === null ? {} : { enhancedCode }),
    ...(text ? { response: storableText(text) } : {}),
    ...by,
    via: "mail",
  } as const;
  switch (status.outcome) {
    case "relayed":
      return null;
    case "delivered":
    case "delayed":
      return { report: { kind: status.outcome }, data };
    case "failed": {
      const cause = bounceClassOf(status.words);
      const hard = cause === "invalid_address";
      return { report: { kind: "bounced", hard, gaveUp: true }, data: { ...data, cause } };
    }
  }
}

/** If the report covers several forwarded addresses, the recipient's own status counts; otherwise the best. */
function relevantStatus(
  statuses: readonly RecipientStatus[],
  recipient: string | null,
): RecipientStatus {
  const own = statuses.find(
    (status) => recipient !== null && status.recipient?.toLowerCase() === recipient.toLowerCase(),
  );
  const better = statuses.find(({ outcome }) => outcome !== "failed");
  const status = own ?? better ?? statuses[0];
  if (!status) throw new Error("A report speaks of one address at least.");
  return status;
}
