import { and, asc, eq } from "drizzle-orm";
import { createTransport } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import type { Database } from "@/db/client";
import { capturedEmails, domains, memberships } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { unseal } from "@/lib/ground/secrets";
import { parseSmtpUrl, type SmtpServer } from "@/lib/mail/smtp-server-url";
import { newId } from "@/lib/ground/ids/ids";
import type { User } from "./users";

export interface PlatformMail {
  subject: string;
  html: string;
  text: string;
}

type Sender = Pick<typeof domains.$inferSelect, "name" | "selector" | "dkimPrivateKeySealed">;

/** The oldest verified domain among the user's projects: the platform's mail to them is signed with it. */
async function findSender(db: Database, userId: string): Promise<Sender | null> {
  const [sender] = await db
    .select({
      name: domains.name,
      selector: domains.selector,
      dkimPrivateKeySealed: domains.dkimPrivateKeySealed,
    })
    .from(domains)
    .innerJoin(memberships, eq(memberships.projectId, domains.projectId))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(domains.status, "VERIFIED"),
        eq(domains.builtIn, false),
      ),
    )
    .orderBy(asc(domains.id))
    .limit(1);
  return sender ?? null;
}

/** The user's oldest project: its captured mailbox shows them the mail, and nobody else. */
async function findMailbox(db: Database, userId: string): Promise<string | null> {
  const [membership] = await db
    .select({ projectId: memberships.projectId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.projectId))
    .limit(1);
  return membership?.projectId ?? null;
}

/** The server's settings as nodemailer takes them: what holds for all other mail holds for this, too. */
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

/** What nodemailer needs of a mail from the sender; null: from the installation's own name, unsigned. */
function messageFrom(sender: Sender | null, user: User, mail: PlatformMail) {
  const from = { name: "Lettermill", address: `no-reply@${sender?.name ?? env().MAIL_HOSTNAME}` };
  const dkim = sender && {
    domainName: sender.name,
    keySelector: sender.selector,
    privateKey: unseal(sender.dkimPrivateKeySealed),
  };
  const message = {
    envelope: { from: from.address, to: [user.email] },
    from,
    to: { name: user.name, address: user.email },
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return { from, message, dkim };
}

/** Whether the server refused the sender, whoever the mail is for. */
function isSenderRefused(error: unknown): boolean {
  return error instanceof Error && "command" in error && error.command === "MAIL FROM";
}

/**
 * Sends one of the platform's own mails. It bypasses the queue and the log, which are open to every member
 * of a project, while a link that signs in is for one person; under `capture` it is shown to that person
 * alone. Throws when the mail server does not accept it.
 */
export async function sendPlatformMail(
  db: Database,
  user: User,
  mail: PlatformMail,
): Promise<void> {
  const sender = await findSender(db, user.id);
  if (env().MAIL_TRANSPORT === "capture") return capture(db, user, messageFrom(sender, user, mail));
  try {
    await handOver(messageFrom(sender, user, mail));
  } catch (error) {
    // The mail may be the one that says so.
    if (!sender || !isSenderRefused(error)) throw error;
    await handOver(messageFrom(null, user, mail));
  }
}

type Message = ReturnType<typeof messageFrom>;

async function handOver({ message, dkim }: Message): Promise<void> {
  const { MAIL_TRANSPORT, MAIL_HOSTNAME } = env();
  const transport = createTransport(optionsOf(parseSmtpUrl(MAIL_TRANSPORT, MAIL_HOSTNAME)));
  try {
    await transport.sendMail({ ...message, ...(dkim ? { dkim } : {}) });
  } finally {
    transport.close();
  }
}

async function capture(db: Database, user: User, { from, message }: Message): Promise<void> {
  const projectId = await findMailbox(db, user.id);
  if (!projectId) {
    log.warn({ userId: user.id }, "the user has no project whose mailbox could hold the mail");
    return;
  }
  const composed = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  await db.insert(capturedEmails).values({
    id: newId(projectId),
    projectId,
    readerUserId: user.id,
    envelopeFrom: from.address,
    envelopeTo: user.email,
    raw: composed.message as Buffer,
  });
}
