import { createTransport } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import type { Database } from "@/db/client";
import { capturedEmails, type domains } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { newId } from "@/lib/ground/ids/ids";
import { unsealOrNull } from "@/lib/ground/secrets";
import { installationProvider } from "@/lib/mail/providers/of-settings";
import { isSenderFault } from "@/lib/mail/reports/address-fault";
import { isMx, parseSmtpUrl, type SmtpServer } from "@/lib/mail/smtp-server-url";
import { tryLater } from "./more-tries";
import { sendToProvider } from "./to-provider";
import { isTemporary, sendToReceiver } from "./to-receiver";

export interface DirectMail {
  fromName: string;
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
}

/** The domain that a mail comes from and is signed with. */
export type DirectSender = Pick<
  typeof domains.$inferSelect,
  "name" | "selector" | "dkimPrivateKeySealed"
>;

/** Where it is shown under `capture`; with `readerUserId` null, to everybody in the project. */
interface Mailbox {
  projectId: string;
  readerUserId: string | null;
}

/** The server's settings as nodemailer takes them, so that the same rules apply as for all other mail. */
function optionsOf(server: SmtpServer): SMTPTransport.Options {
  const { host, port, implicitTls, tls, verifyCertificate, user, password, hostname } = server;
  return {
    host,
    port,
    name: hostname,
    secure: implicitTls,
    ignoreTLS: tls === "off",
    requireTLS: tls === "required",
    tls: { rejectUnauthorized: verifyCertificate },
    ...(user === null ? {} : { auth: { user, pass: password } }),
  };
}

/**
 * What nodemailer needs for mail from this sender; in the installation's own name, unsigned, for null and for one whose
 * key cannot be read.
 */
function messageFrom(sender: DirectSender | null, mail: DirectMail) {
  const { fromName, to, subject, html, text } = mail;
  // Whoever cannot sign in must get the mail nevertheless.
  const privateKey = sender && unsealOrNull(sender.dkimPrivateKeySealed);
  const dkim = sender &&
    privateKey !== null && { domainName: sender.name, keySelector: sender.selector, privateKey };
  const domain = dkim ? dkim.domainName : env().MAIL_HOSTNAME;
  const from = { name: fromName, address: `no-reply@${domain}` };
  const message = {
    envelope: { from: from.address, to: [to.address] },
    ...{ from, to, subject, html, text },
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return { from, message, dkim };
}

type Message = ReturnType<typeof messageFrom>;

/** Whether the server refuses the sender, whoever the mail is for. */
function isSenderRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !("command" in error)) return false;
  if (error.command === "MAIL FROM") return true;
  // The server's words are in the message.
  const text = error.message.slice(0, 2_000);
  return "responseCode" in error && isSenderFault({ code: null, enhancedCode: null, text });
}

async function handOver({ message, dkim }: Message): Promise<void> {
  const { MAIL_TRANSPORT, MAIL_HOSTNAME } = env();
  const provider = installationProvider();
  if (provider || isMx(MAIL_TRANSPORT)) {
    const { from, to } = message.envelope;
    const envelope = { from, to: to[0] ?? message.to.address };
    const mail = { envelope, raw: await composed(message, dkim) };
    return provider ? sendToProvider(provider, mail) : sendToReceiver(mail);
  }
  const transport = createTransport(optionsOf(parseSmtpUrl(MAIL_TRANSPORT, MAIL_HOSTNAME)));
  try {
    await transport.sendMail({ ...message, ...(dkim ? { dkim } : {}) });
  } finally {
    transport.close();
  }
}

async function composed(message: Message["message"], dkim: Message["dkim"]): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const sent = await transport.sendMail({ ...message, ...(dkim ? { dkim } : {}) });
  return sent.message as Buffer;
}

async function capture(db: Database, mailbox: Mailbox, { from, message }: Message): Promise<void> {
  await db.insert(capturedEmails).values({
    id: newId(mailbox.projectId),
    ...mailbox,
    envelopeFrom: from.address,
    envelopeTo: message.to.address,
    raw: await composed(message, null),
  });
}

async function handOverFrom(sender: DirectSender | null, mail: DirectMail): Promise<void> {
  try {
    await handOver(messageFrom(sender, mail));
  } catch (error) {
    // The mail may be the one that says so.
    if (!sender || !isSenderRefused(error)) throw error;
    await handOver(messageFrom(null, mail));
  }
}

interface Way {
  sender: DirectSender | null;
  mailbox: () => Promise<Mailbox | null>;
  /** Whether what a receiver's server refuses for now is tried again, for some minutes. */
  patient?: boolean;
}

/**
 * Sends mail bypassing the queue and the log, which every member of a project can read: its link is for one person
 * only. Resolves to false when, under `capture`, no mailbox could show it. Throws when the mail server does not
 * accept it; `patient`: nor will be asked again.
 */
export async function sendDirectMail(
  db: Database,
  mail: DirectMail,
  { sender, mailbox, patient = false }: Way,
): Promise<boolean> {
  const { MAIL_TRANSPORT } = env();
  if (MAIL_TRANSPORT === "capture") {
    const shownIn = await mailbox();
    if (shownIn) await capture(db, shownIn, messageFrom(sender, mail));
    return shownIn !== null;
  }
  try {
    await handOverFrom(sender, mail);
  } catch (error) {
    // A mail server of one's own has a queue; receivers and providers ask those who come too early to come back.
    const queued = /^smtps?:/.test(MAIL_TRANSPORT);
    const again = patient && !queued && isTemporary(error);
    if (!again || !tryLater(() => handOverFrom(sender, mail), isTemporary)) throw error;
  }
  return true;
}
