import { desc, lt } from "drizzle-orm";
import { suppressions } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { exportRead } from "@/lib/ground/slow-reads";
import type { SuppressionFilter } from "./schema";
import { matching, readRows, toSuppression, type Row } from "./suppressions";

const exportColumns = [
  ...(["email", "reason", "source", "by", "emailId", "response", "createdAt"] as const),
];

/** Suppressed addresses and domains as CSV, newest first, as importSuppressions reads it. */
export async function exportSuppressions(
  ctx: Context,
  filter: SuppressionFilter,
): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "viewer");
  // Only the names of the filters: the search text may be somebody's address.
  await audit(ctx.db, ctx, "export.suppressions", null, { filters: Object.keys(filter) });
  return suppressionsAsCsv(ctx, filter);
}

/** The same as part of something that is recorded as a whole. */
export function suppressionsAsCsv(
  ctx: Context,
  filter: SuppressionFilter,
): ReadableStream<Uint8Array> {
  return csvStream<Row>({
    header: [...exportColumns],
    read: (last, limit) =>
      exportRead(ctx, (tx) =>
        readRows(tx, ctx, [
          ...matching(ctx, filter),
          last ? lt(suppressions.id, last.id) : undefined,
        ])
          .orderBy(desc(suppressions.id))
          .limit(limit),
      ),
    cells: (row) => {
      const { source, ...suppression } = toSuppression(row);
      const by = source?.by && (source.by.name ?? source.by.id ?? source.by.type);
      const told = { ...suppression, source: source?.type, by };
      return exportColumns.map((column) => told[column] ?? "");
    },
  });
}
