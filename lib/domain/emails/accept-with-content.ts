import type { Transaction } from "@/db/client";
import { acceptUnits, type Accepted, type AcceptMessage, type AcceptUnit } from "./accept";
import { storeAttachments, type CarryingMessage } from "./attachments";
import { storeRelayed, type RelayedMessageRow } from "./relayed-messages";

/**
 * Accepts units together with the content of their messages; nothing is stored for a unit that is refused.
 * Resolves to what was accepted or the unit's error.
 */
export async function acceptWithContent(
  tx: Transaction,
  units: AcceptUnit[],
): Promise<(Accepted | Error)[]> {
  const results = await acceptUnits(tx, units);
  const accepted = units.flatMap((unit, index) => storedMessages(unit, results[index]));
  await storeAttachments(tx, accepted.flatMap(toCarrying));
  await storeRelayed(tx, accepted.flatMap(toRelayed));
  return results;
}

interface StoredMessage extends AcceptMessage {
  /** uuid */
  id: string;
  projectId: string;
}

function storedMessages({ projectId, messages }: AcceptUnit, result?: Accepted | Error) {
  if (!result || result instanceof Error) return [];
  return messages.map((message, index): StoredMessage => {
    const id = result.messageIds[index];
    if (!id) throw new Error("Accepting lost a message.");
    return { ...message, id, projectId };
  });
}

const toCarrying = ({ id, projectId, attachments }: StoredMessage): CarryingMessage[] =>
  attachments.length === 0 ? [] : [{ id, projectId, attachments }];

const toRelayed = ({ id, projectId, relayed }: StoredMessage): RelayedMessageRow[] =>
  relayed ? [{ messageId: id, projectId, ...relayed }] : [];
