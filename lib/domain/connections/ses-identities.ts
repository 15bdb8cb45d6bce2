import { eq } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { sesIdentities } from "@/db/schema";
import { now } from "@/db/schema/columns";

/** Has a changed connection (uuid) asked about its identities at Amazon SES now, however long they were to wait. */
export async function askIdentitiesSoon(tx: Transaction, connectionId: string): Promise<void> {
  await tx
    .update(sesIdentities)
    .set({ nextCheckAt: now, attempts: 0 })
    .where(eq(sesIdentities.connectionId, connectionId));
}
