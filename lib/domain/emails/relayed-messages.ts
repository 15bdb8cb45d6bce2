import { and, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { emails, messages, relayedMessages } from "@/db/schema";

/** A message (uuid) to be passed on unchanged, with the client's Message-ID. */
export type RelayedMessageRow = Required<typeof relayedMessages.$inferInsert>;

/** Records messages to be passed on unchanged; a Message-ID that the project has already had is left out. */
export async function storeRelayed(
  tx: Executor,
  messages: readonly RelayedMessageRow[],
): Promise<void> {
  if (messages.length === 0) return;
  const stored = await tx
    .insert(relayedMessages)
    .values([...messages])
    .onConflictDoNothing({ target: [relayedMessages.projectId, relayedMessages.headerId] })
    .returning({ messageId: relayedMessages.messageId });
  const own = new Set(stored.map(({ messageId }) => messageId));
  const repeated = messages.filter(({ messageId }) => !own.has(messageId));
  if (repeated.length === 0) return;
  await tx
    .insert(relayedMessages)
    .values(repeated.map((message) => ({ ...message, headerId: null })));
}

/**
 * The uuids of the emails that went out under a client's Message-ID: at most two, since two are already too many.
 */
export async function findRelayedEmails(
  db: Executor,
  projectId: string,
  headerId: string,
): Promise<string[]> {
  // A message and its emails are written at the same time, by which the log's index finds them.
  const rows = await db
    .select({ id: emails.id })
    .from(relayedMessages)
    .innerJoin(messages, eq(messages.id, relayedMessages.messageId))
    .innerJoin(
      emails,
      and(
        eq(emails.projectId, relayedMessages.projectId),
        eq(emails.createdAt, messages.createdAt),
        eq(emails.messageId, messages.id),
      ),
    )
    .where(and(eq(relayedMessages.projectId, projectId), eq(relayedMessages.headerId, headerId)))
    .limit(2);
  return rows.map(({ id }) => id);
}
