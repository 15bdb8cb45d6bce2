import { and, asc, desc, eq, gt, inArray, isNotNull, lt, ne, or, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { contactImportRows, contactImports } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { initialFields } from "@/lib/domain/lists/join-many";
import { findListRow } from "@/lib/domain/lists/lists";
import { lockProject } from "@/lib/ground/project-lock";
import { projectTurns } from "@/lib/ground/project-turns";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { exportRead } from "@/lib/ground/slow-reads";
import { inEnglish, keptText, keptTextOrNull } from "@/lib/ground/texts/kept-text";
import type { ContactImport, ContactImportDetail, RefusedRow } from "./schema";
import type { Column } from "./columns";
import { holdsUnsubscribed } from "./other-exports-schema";
import { stageRows, surveyFile } from "./stage";
import { withUploadedFile, type UploadedFile } from "./upload";

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
    duplicates: row.duplicates,
    keptUnsubscribed: row.keptUnsubscribed,
    tags: row.tags,
    listId: row.listId && encodeId("list", row.listId),
    joined: row.joined,
    notJoined: row.notJoined,
    failureReason: keptTextOrNull(row.failureReason),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** An import that is still being uploaded is not shown, since it may never be completed. */
const arrived = ne(contactImports.status, "STAGING");

async function findRow(ctx: Context, id: string): Promise<Row> {
  const uuid = decodeId("import", id);
  const [row] = uuid
    ? await ctx.db
        .select()
        .from(contactImports)
        .where(
          and(eq(contactImports.projectId, ctx.projectId), eq(contactImports.id, uuid), arrived),
        )
    : [];
  if (!row) throw notFound();
  return row;
}

const mostUnderWay = 10;
/** An upload ends within an hour: one that is older has lost its process. */
const abandoned = sql`app_now() - interval '2 hours'`;

/** Creates the row of an import whose file is on its way. Throws CONFLICT when too many are under way. */
async function reserve(
  ctx: Context,
  more: Pick<Row, "filename" | "tags" | "listId">,
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, ctx.projectId);
    const underWay = await tx.$count(
      contactImports,
      and(
        eq(contactImports.projectId, ctx.projectId),
        or(
          inArray(contactImports.status, ["PENDING", "RUNNING"]),
          and(eq(contactImports.status, "STAGING"), gt(contactImports.createdAt, abandoned)),
        ),
      ),
    );
    if (underWay >= mostUnderWay) {
      throw new AppError(
        "CONFLICT",
        `${mostUnderWay} imports of this project are already under way: wait until one has ended, or cancel one.`,
      );
    }
    const id = newId(ctx.projectId);
    await tx.insert(contactImports).values({
      ...{ id, projectId: ctx.projectId, status: "STAGING", testMode: ctx.testMode },
      ...more,
    });
    return id;
  });
}

const unstaged = (id: string) =>
  and(eq(contactImports.id, id), eq(contactImports.status, "STAGING"));

/** Removes what is left of uploads whose process died. */
export async function dropAbandonedUploads(db: Database): Promise<void> {
  await db
    .delete(contactImports)
    .where(
      and(
        eq(contactImports.status, "STAGING"),
        lt(contactImports.createdAt, abandoned),
        worksHere(contactImports.projectId),
      ),
    );
}

/** Files that this process reads and copies into the database, one of a project at a time; each holds a connection. */
const inTurn = projectTurns(2);

/**
 * Accepts a CSV: every row is staged and checked before this resolves; a worker then imports them. No connection is
 * held while the file is on its way. Throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, NOT_FOUND for the list, and CONFLICT
 * when ten imports of the project are under way or the list requires what a file cannot give; a failed import leaves nothing behind. Needs editor.
 */
export async function startImport(
  ctx: Context,
  input: {
    file: AsyncIterable<Uint8Array>;
    filename?: string | undefined;
    columns?: string | undefined;
    tags?: string[] | undefined;
    listId?: string | undefined;
    /** Whether people are subscribed of whom no column says it; absent: the file's name decides. */
    subscribed?: boolean | undefined;
  },
): Promise<ContactImport> {
  requireRole(ctx, "editor");
  const list = input.listId === undefined ? null : await findListRow(ctx.db, ctx, input.listId);
  if (list) await initialFields(ctx.db, list);
  const { filename = "", tags = [] } = input;
  const unsubscribed = !(input.subscribed ?? !holdsUnsubscribed(filename));
  const id = await reserve(ctx, { filename, tags, listId: list?.id ?? null });
  try {
    return await withUploadedFile(ctx.projectId, input.file, (file) =>
      inTurn(ctx.projectId, async () => {
        const columns = await surveyFile(file, input.columns);
        return stage(ctx, id, { file, columns, unsubscribed });
      }),
    );
  } catch (error) {
    await ctx.db.delete(contactImports).where(unstaged(id));
    throw error;
  }
}

function stage(
  ctx: Context,
  id: string,
  upload: { file: UploadedFile; columns: readonly Column[]; unsubscribed: boolean },
): Promise<ContactImport> {
  return ctx.db.transaction(async (tx) => {
    const { rows, refused, duplicates } = await stageRows(
      tx,
      id,
      upload.file,
      upload.columns,
      upload,
    );
    const [row] = await tx
      .update(contactImports)
      .set({ status: "PENDING", totalRows: rows, doneLine: 1, refused, duplicates, dueAt: now })
      .where(unstaged(id))
      .returning();
    if (!row) throw new AppError("CONFLICT", "The upload took too long: try again.");
    const started = toImport(row);
    await audit(tx, ctx, "start.import", started.id, { rows });
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
        arrived,
        before ? lt(contactImports.id, before) : undefined,
      ),
    )
    .orderBy(desc(contactImports.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toImport, (row) => row.id);
}

type StoredRow = Pick<
  typeof contactImportRows.$inferSelect,
  "line" | "fileLine" | "email" | "refusal"
>;

function toRefused(row: StoredRow): RefusedRow {
  return {
    line: row.fileLine ?? row.line,
    email: row.email ?? "",
    reason: keptText(row.refusal ?? ""),
  };
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
  return csvStream<StoredRow>({
    header: ["line", "email", "reason"],
    read: (last, limit) =>
      exportRead(ctx, (tx) =>
        tx
          .select({
            line: contactImportRows.line,
            fileLine: contactImportRows.fileLine,
            email: contactImportRows.email,
            refusal: contactImportRows.refusal,
          })
          .from(contactImportRows)
          .where(
            and(
              eq(contactImportRows.importId, importId),
              last ? gt(contactImportRows.line, last.line) : undefined,
              isNotNull(contactImportRows.refusal),
            ),
          )
          .orderBy(asc(contactImportRows.line))
          .limit(limit),
      ),
    cells: (row) => {
      const { line, email, reason } = toRefused(row);
      return [String(line), email, reason];
    },
  });
}

/** Stops an import where it is: rows imported so far stay. Throws NOT_FOUND, CONFLICT when it has ended. */
export async function cancelImport(ctx: Context, id: string): Promise<ContactImport> {
  requireRole(ctx, "editor");
  const before = await findRow(ctx, id);
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(contactImports)
      .set({
        status: "FAILED",
        failureReason: inEnglish("Cancelled."),
        dueAt: null,
        leaseId: null,
        finishedAt: now,
      })
      .where(
        and(
          eq(contactImports.id, before.id),
          inArray(contactImports.status, ["PENDING", "RUNNING"]),
        ),
      )
      .returning();
    if (!row) throw new AppError("CONFLICT", "The import has already ended.");
    await audit(tx, ctx, "cancel.import", id);
    return toImport(row);
  });
}
