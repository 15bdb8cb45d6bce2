import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { sendingConnections } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { systemContext } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { laterThan } from "@/lib/ground/updates/stale";

/** Makes a confirmed topic the connection's, whose only one the first stays. false: another topic came first. */
export async function keepTopic(
  db: Database,
  { id, projectId }: { id: string; projectId: string },
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
