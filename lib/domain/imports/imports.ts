import { and, asc, desc, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { contactImportRows, contactImports } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvLines } from "@/lib/ground/csv";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import type { ContactImport, ContactImportDetail, RefusedRow } from "./schema";
import { stageRows } from "./stage";

type Row = typeof contactImports.$inferSelect;

/** The resource of a stored import. */
export function toImport(row: Row): ContactImport {
  return {
    id: encodeId("import", row.id),
    filename: row.filename,
    status: row.status,
    total: row.totalRows,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    refused: row.refused,
    failureReason: row.failureReason,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

async function findRow(ctx: Context, id: string): Promise<Row> {
  const uuid = decodeId("import", id);
  const [row] = uuid
    ? await ctx.db
        .select()
        .from(contactImports)
        .where(and(eq(contactImports.projectId, ctx.projectId), eq(contactImports.id, uuid)))
    : [];
  if (!row) throw notFound();
  return row;
}

/**
 * Takes a CSV in: every row is staged and checked before this resolves, a worker takes them over then.
 * Throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE; what failed leaves nothing behind. Needs editor.
 */
export async function startImport(
  ctx: Context,
  input: {
    file: AsyncIterable<Uint8Array>;
    filename?: string | undefined;
    columns?: string | undefined;
  },
): Promise<ContactImport> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const id = newId();
    await tx.insert(contactImports).values({
      id,
      projectId: ctx.projectId,
      filename: input.filename ?? "",
      status: "STAGING",
    });
    const counts = await stageRows(tx, id, input.file, input.columns);
    const [row] = await tx
      .update(contactImports)
      .set({
        status: "PENDING",
        totalRows: counts.rows,
        doneLine: 1,
        refused: counts.refused,
        dueAt: sql`app_now()`,
      })
      .where(eq(contactImports.id, id))
      .returning();
    if (!row) throw new Error("An update returned no row.");
    const started = toImport(row);
    await audit(tx, ctx, "start.import", started.id, { rows: counts.rows });
    return started;
  });
}

/** Newest first. */
export async function listImports(ctx: Context, query: PageQuery): Promise<Page<ContactImport>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(contactImports)
    .where(
      and(
        eq(contactImports.projectId, ctx.projectId),
        before ? lt(contactImports.id, before) : undefined,
      ),
    )
    .orderBy(desc(contactImports.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toImport, (row) => row.id);
}

function toRefused(row: {
  line: number;
  email: string | null;
  refusal: string | null;
}): RefusedRow {
  return { line: row.line, email: row.email ?? "", reason: row.refusal ?? "" };
}

/** Progress, and the first 100 refused rows. Throws NOT_FOUND. */
export async function getImport(ctx: Context, id: string): Promise<ContactImportDetail> {
  requireRole(ctx, "viewer");
  const row = await findRow(ctx, id);
  const refused = await ctx.db
    .select()
    .from(contactImportRows)
    .where(and(eq(contactImportRows.importId, row.id), isNotNull(contactImportRows.refusal)))
    .orderBy(asc(contactImportRows.line))
    .limit(100);
  return { ...toImport(row), refusedRows: refused.map(toRefused) };
}

/** All refused rows as CSV: line, email, reason. Throws NOT_FOUND. */
export async function exportRefusedRows(
  ctx: Context,
  id: string,
): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "viewer");
  const { id: importId } = await findRow(ctx, id);
  await audit(ctx.db, ctx, "export.refusedRows", id);
  const encoder = new TextEncoder();
  const rowsAtOnce = 5000;
  let line = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (line === 0) controller.enqueue(encoder.encode(csvLines([["line", "email", "reason"]])));
      const rows = await ctx.db.execute<{
        line: number;
        email: string | null;
        refusal: string;
      }>(sql`
        select line, email, refusal from contact_import_rows
        where import_id = ${importId} and line > ${line} and refusal is not null
        order by line limit ${rowsAtOnce}`);
      const refused = rows.map(toRefused);
      if (refused.length > 0) {
        controller.enqueue(
          encoder.encode(csvLines(refused.map((row) => [String(row.line), row.email, row.reason]))),
        );
      }
      line = rows.at(-1)?.line ?? 1;
      if (rows.length < rowsAtOnce) controller.close();
    },
  });
}

/** Stops an import where it is: what was taken over stays. Throws NOT_FOUND, CONFLICT when it has ended. */
export async function cancelImport(ctx: Context, id: string): Promise<ContactImport> {
  requireRole(ctx, "editor");
  const before = await findRow(ctx, id);
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(contactImports)
      .set({
        status: "FAILED",
        failureReason: "Cancelled.",
        dueAt: null,
        leaseId: null,
        finishedAt: sql`app_now()`,
      })
      .where(
        and(
          eq(contactImports.id, before.id),
          inArray(contactImports.status, ["PENDING", "RUNNING"]),
        ),
      )
      .returning();
    if (!row) throw new AppError("CONFLICT", "The import has ended already.");
    await audit(tx, ctx, "cancel.import", id);
    return toImport(row);
  });
}
