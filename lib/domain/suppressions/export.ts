import { desc, lt } from "drizzle-orm";
import { suppressions } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { onReplica } from "@/lib/ground/replica";
import type { SuppressionFilter } from "./schema";
import { matching, readRows, toSuppression, type Row } from "./suppressions";

/** Suppressed addresses and domains as CSV, newest first: email, reason, response, createdAt. What importSuppressions reads. */
export async function exportSuppressions(
  ctx: Context,
  filter: SuppressionFilter,
): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "viewer");
  // Only the names of the filters: the search text may be somebody's address.
  await audit(ctx.db, ctx, "export.suppressions", null, { filters: Object.keys(filter) });
  return csvStream<Row>({
    header: ["email", "reason", "response", "createdAt"],
    read: (last, limit) =>
      onReplica(ctx, async ({ db }) =>
        readRows(db, ctx, [
          ...matching(ctx, filter),
          last ? lt(suppressions.id, last.id) : undefined,
        ])
          .orderBy(desc(suppressions.id))
          .limit(limit),
      ),
    cells: (row) => {
      const { email, reason, response, createdAt } = toSuppression(row);
      return [email, reason, response ?? "", createdAt];
    },
  });
}
