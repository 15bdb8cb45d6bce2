import { and, asc, eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains, memberships } from "@/db/schema";
import { sendDirectMail, type DirectSender } from "@/lib/domain/direct-mail/send";
import { log } from "@/lib/ground/log";
import { isOpenHere, livesHere } from "@/lib/ground/queue/resting-projects";
import type { User } from "./users";

export interface PlatformMail {
  subject: string;
  html: string;
  text: string;
}

/** The oldest verified domain among the user's projects: the platform's mail to them is signed with it. */
export async function findSigningDomain(
  db: Database,
  userId: string,
): Promise<DirectSender | null> {
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
        livesHere(domains.projectId),
      ),
    )
    .orderBy(asc(domains.id))
    .limit(1);
  return sender ?? null;
}

/** Where the user reads captured mail, and nobody else: in their oldest project; null without one. */
export async function findOwnMailbox(
  db: Database,
  userId: string,
): Promise<{ projectId: string; readerUserId: string } | null> {
  const [membership] = await db
    .select({ projectId: memberships.projectId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), isOpenHere(memberships.projectId)))
    .orderBy(asc(memberships.projectId))
    .limit(1);
  return membership ? { projectId: membership.projectId, readerUserId: userId } : null;
}

/**
 * Sends one of the platform's own mails, whose links sign in: under `capture` it is shown only to that
 * person. Throws when the mail server does not accept it.
 */
export async function sendPlatformMail(
  db: Database,
  user: User,
  mail: PlatformMail,
  { patient = false } = {},
): Promise<void> {
  const sender = await findSigningDomain(db, user.id);
  const to = { name: user.name, address: user.email };
  const mailbox = () => findOwnMailbox(db, user.id);
  const sent = await sendDirectMail(
    db,
    { fromName: "Lettermill", to, ...mail },
    { sender, mailbox, patient },
  );
  if (!sent) {
    log.warn({ userId: user.id }, "the user has no project whose mailbox could hold the mail");
  }
}
