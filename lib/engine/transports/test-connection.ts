import { connectionRow } from "@/lib/domain/connections/connections";
import type { ConnectionTest } from "@/lib/domain/connections/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { announce } from "@/lib/ground/queue/announce";
import { endConnectionHold } from "@/lib/ground/queue/connection-holds";
import { storableText } from "@/lib/ground/storable-text";
import { keptText } from "@/lib/ground/texts/kept-text";
import { transportOf } from "./of-connection";

/**
 * Opens a session as mail would and says what came of it. If it works again, mail that waits for it
 * goes on. Throws NOT_FOUND. Needs admin.
 */
export async function testConnection(ctx: Context, id: string): Promise<ConnectionTest> {
  requireRole(ctx, "admin");
  const row = await connectionRow(ctx, id);
  const transport = transportOf(row);
  const { ok, words } = await transport.probe();
  transport.close();
  const resumed = await ctx.db.transaction(async (tx) => {
    await audit(tx, ctx, "test.connection", id, { name: row.name, ok });
    return ok && (await endConnectionHold(tx, row));
  });
  if (resumed) announce(ctx.db, "emails_due");
  return { ok, words: keptText(storableText(words)) };
}
