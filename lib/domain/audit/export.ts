import { lt } from "drizzle-orm";
import { auditLog } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { onReplica } from "@/lib/ground/replica";
import { conditionsOf, readEntries } from "./read";
import type { AuditEntry, AuditFilters } from "./schema";

const columns = [
  "time",
  "what",
  "action",
  "actor",
  "actorId",
  "target",
  "targetId",
  "address",
  "userAgent",
  "requestId",
  "details",
];

function line(entry: AuditEntry): string[] {
  const { before, after } = entry.sentence;
  return [
    entry.createdAt,
    after === null ? before : `${before}${entry.target?.name ?? ""}${after}`,
    entry.action,
    entry.actor.name,
    entry.actor.id ?? entry.actor.type,
    entry.target?.name ?? "",
    entry.target?.id ?? "",
    entry.address ?? "",
    entry.userAgent ?? "",
    entry.requestId,
    JSON.stringify(entry.details),
  ];
}

/** The audit log as CSV, newest first, read and written in chunks. Needs admin; the export itself is logged too. */
export async function exportAuditLog(
  ctx: Context,
  filters: AuditFilters,
): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "admin");
  const conditions = conditionsOf(ctx, filters);
  await audit(ctx.db, ctx, "export.auditLog", null, { filters: Object.keys(filters) });
  return csvStream<Awaited<ReturnType<typeof readEntries>>[number]>({
    header: columns,
    read: (last, limit) =>
      onReplica(ctx, (reading) =>
        readEntries(reading, last ? [...conditions, lt(auditLog.id, last.id)] : conditions, limit),
      ),
    cells: ({ entry }) => line(entry),
  });
}
