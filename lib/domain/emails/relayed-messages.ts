import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
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

/** The uuids of the emails that went out under a client's Message-ID: `most` at most. */
export async function findRelayedEmails(
  db: Executor,
  projectId: string,
  headerId: string,
  most = 2,
): Promise<string[]> {
  // A message and its emails are written at the same time, by which the log's index finds them: looked up for the one
  // message, and not joined, or all mail of a project without statistics could be read.
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`
    select mail.id from ${relayedMessages}
      join ${messages} on ${messages.id} = ${relayedMessages.messageId}
      cross join lateral (
        select ${emails.id} from ${emails}
        where ${emails.projectId} = ${relayedMessages.projectId}
          and ${emails.createdAt} = ${messages.createdAt} and ${emails.messageId} = ${messages.id}
        limit ${most}
      ) mail
    where ${relayedMessages.projectId} = ${projectId} and ${relayedMessages.headerId} = ${headerId}
    limit ${most}`,
  );
  return rows.map(({ id }) => id);
}
