import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { sendingConnections } from "@/db/schema";
import type { ConnectionSettings } from "@/db/schema/connections";
import { audit } from "@/lib/ground/audit";
import { systemContext } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { GuardedFetchError } from "@/lib/ground/net/guarded-fetch";
import { laterThan } from "@/lib/ground/updates/stale";
import { confirmSubscription, isFromSns, readSnsMessage, type SnsMessage } from "./sns-message";

interface Subscriber {
  /** uuid */
  id: string;
  projectId: string;
  settings: ConnectionSettings;
}

/**
 * What Amazon SNS brings to a connection: the event in it, or what became of a message about the subscription itself.
 * The first topic that is confirmed stays the only one. Throws UNAVAILABLE while SNS cannot be asked: it tries again.
 */
export async function openSnsMessage(
  db: Database,
  connection: Subscriber,
  body: Buffer,
): Promise<{ json: unknown } | "taken" | "forged" | "foreign"> {
  const message = readSnsMessage(body);
  if (message === null) return "forged";
  const { region, topicArn = null } = connection.settings;
  const asks = message.Type === "SubscriptionConfirmation";
  // A stranger's topic is turned away before anything is fetched for it.
  if (message.region !== region || (topicArn === null && !asks)) return "foreign";
  if (topicArn !== null && topicArn !== message.TopicArn) return "foreign";
  try {
    if (!(await isFromSns(message, Date.now() / 1000))) return "forged";
    if (asks) return await subscribe(db, connection, message);
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    throw new AppError("UNAVAILABLE", "Amazon SNS cannot be reached at the moment.");
  }
  return message.Type === "Notification" ? { json: eventIn(message) } : "taken";
}

/** null: SNS's own words, such as those after a topic was made. */
function eventIn({ Message }: SnsMessage): unknown {
  try {
    return JSON.parse(Message);
  } catch {
    return null;
  }
}

async function subscribe(
  db: Database,
  connection: Subscriber,
  message: SnsMessage,
): Promise<"taken" | "forged" | "foreign"> {
  if (!(await confirmSubscription(message))) return "forged";
  return (await keepTopic(db, connection, message.TopicArn)) ? "taken" : "foreign";
}

/** false: another topic came first. */
async function keepTopic(
  db: Database,
  { id, projectId }: Subscriber,
  topicArn: string,
): Promise<boolean> {
  const { settings, updatedAt, name } = sendingConnections;
  return db.transaction(async (tx) => {
    const own = and(eq(sendingConnections.projectId, projectId), eq(sendingConnections.id, id));
    const [row] = await tx
      .select({ settings, name })
      .from(sendingConnections)
      .where(own)
      .for("update");
    if (!row) return false;
    if (row.settings.topicArn) return row.settings.topicArn === topicArn;
    await tx
      .update(sendingConnections)
      .set({
        settings: sql`${settings} || ${JSON.stringify({ topicArn })}::jsonb`,
        updatedAt: laterThan(updatedAt),
      })
      .where(own);
    const details = { name: row.name, topicArn };
    const ctx = systemContext(db, projectId);
    await audit(tx, ctx, "update.connection", encodeId("connection", id), details);
    return true;
  });
}
