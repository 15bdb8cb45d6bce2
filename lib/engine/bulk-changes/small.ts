import { getBulkChange } from "@/lib/domain/contact-fields/bulk-change-rows";
import { mostAtOnce, type BulkChange } from "@/lib/domain/contact-fields/schema";
import { isOfChosen } from "@/lib/domain/contact-fields/terms";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { runBulkChange } from "./run";

/** Mail is written, or every table gone through, for each of them. */
const slow: readonly BulkChange["action"][] = ["join_list", "delete"];
const mostSlow = 50;

/** Makes a change of few contacts while its caller waits; a worker makes the others. Resolves to how it stands. */
export async function runSmall(ctx: Context, change: BulkChange): Promise<BulkChange> {
  const most = slow.includes(change.action) ? mostSlow : mostAtOnce;
  const id = decodeId("bulkChange", change.id);
  if (!id || !isOfChosen(change.action) || change.total > most) return change;
  await runBulkChange(ctx.db, id);
  return getBulkChange(ctx, change.id);
}
