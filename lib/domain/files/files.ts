import { randomBytes } from "node:crypto";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { files } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import {
  guardedFetch,
  GuardedFetchError,
  type GuardedResponse,
} from "@/lib/ground/net/guarded-fetch";
import { filesUrl } from "@/lib/mail/tracking/urls";
import { pageOf } from "@/lib/ground/paging/cursor";
import { inOrder } from "@/lib/ground/paging/order";
import type { Page } from "@/lib/ground/paging/schema";
import { acceptedKinds, detectType, isInline } from "./content-type";
import { cleanName, cleanSubdirectory, markName } from "./paths";
import { largestFileBytes, type FileFetch, type FileQuery, type StoredFile } from "./schema";
import { withStaged, type Staged } from "./stage";
import { fileStore } from "./store";
import { withUploadRoom } from "./upload-room";

type FileRow = typeof files.$inferSelect;

const fetchMilliseconds = 20_000;

export interface FileUpload {
  /** Read once, as it comes. */
  file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** The name the sender gave it; characters that do not belong in a name are replaced. */
  filename: string;
  subdirectory?: string | undefined;
}

const keyOf = ({ projectId, id }: Pick<FileRow, "projectId" | "id">) => `${projectId}/${id}`;

/** Where the public finds a file. */
function publicUrl({ projectId, path }: Pick<FileRow, "projectId" | "path">): string {
  const place = path.split("/").map(encodeURIComponent).join("/");
  return `${filesUrl(env().APP_URL, projectId)}${place}`;
}

function toFile(row: FileRow): StoredFile {
  return {
    id: encodeId("file", row.id),
    name: row.path.slice(row.path.lastIndexOf("/") + 1),
    path: row.path,
    url: publicUrl(row),
    contentType: row.contentType,
    size: row.size,
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * Stores a file. Its bytes decide its type. If the name is taken, it gets another one, unless that file has the
 * same bytes: then that file is returned. Throws VALIDATION_ERROR for a type that is not taken or a folder outside
 * the project's, PAYLOAD_TOO_LARGE past 25 MB, UNAVAILABLE when there is no room for it. Needs editor.
 */
export async function uploadFile(ctx: Context, upload: FileUpload): Promise<StoredFile> {
  requireRole(ctx, "editor");
  const folder = cleanSubdirectory(upload.subdirectory);
  const { stagingFolder } = fileStore();
  const room = { projectId: ctx.projectId, folder: stagingFolder };
  return withUploadRoom(room, upload.file, (file) =>
    withStaged(stagingFolder, file, (staged) => {
      const type = detectType(staged.head, upload.filename);
      if (!type) throw invalid("file", `is not ${acceptedKinds}`);
      const name = cleanName(upload.filename, type);
      return keep(ctx, folder, name, staged, type.contentType);
    }),
  );
}

async function keep(
  ctx: Context,
  folder: string,
  name: string,
  staged: Staged,
  contentType: string,
): Promise<StoredFile> {
  const { projectId } = ctx;
  const id = newId(projectId);
  const key = keyOf({ projectId, id });
  const { size, sha256 } = staged;
  const marks = [sha256.toString("hex").slice(0, 8), randomBytes(8).toString("hex")];
  const names = [name, ...marks.map((mark) => markName(name, mark))];
  let stored = false;
  try {
    for (const candidate of names) {
      const path = folder ? `${folder}/${candidate}` : candidate;
      let present = await findByPath(ctx.db, projectId, path);
      if (!present && !stored) {
        // The bytes come first: a row never names a file that does not exist.
        await fileStore().put(key, staged, contentType);
        stored = true;
      }
      if (!present) {
        const row = await insert(ctx, { id, projectId, path, contentType, size, sha256 });
        if (row) {
          stored = false;
          return toFile(row);
        }
        present = await findByPath(ctx.db, projectId, path);
      }
      if (present?.sha256.equals(sha256)) return toFile(present);
    }
    throw new AppError("CONFLICT", "Others are saving files under this name. Try again.");
  } finally {
    if (stored) await fileStore().delete(key);
  }
}

/** null: the path is taken. */
function insert(ctx: Context, values: typeof files.$inferInsert): Promise<FileRow | null> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.insert(files).values(values).onConflictDoNothing().returning();
    if (!row) return null;
    await audit(tx, ctx, "create.file", encodeId("file", row.id), { path: row.path });
    return row;
  });
}

async function findByPath(
  db: Executor,
  projectId: string,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.path, path)));
  return row;
}

/**
 * Fetches a public address and stores the answer, as `uploadFile` does. 20 s, 25 MB, no redirects. Throws
 * VALIDATION_ERROR at `url` for anything that prevents this. Needs editor.
 */
export async function uploadFromUrl(
  ctx: Context,
  { url, subdirectory }: FileFetch,
): Promise<StoredFile> {
  requireRole(ctx, "editor");
  cleanSubdirectory(subdirectory);
  const filename = nameInUrl(url);
  try {
    const response = await guardedFetch(url, {
      timeoutMilliseconds: fetchMilliseconds,
      largestBytes: largestFileBytes,
      headers: { accept: "image/*,*/*;q=0.8", "accept-encoding": "identity" },
    });
    try {
      checkAnswer(response);
      return await uploadFile(ctx, { file: response.body, filename, subdirectory });
    } finally {
      response.discard();
    }
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    throw invalid("url", error.fault === "too_large" ? "is larger than 25 MB" : error.message);
  }
}

function checkAnswer({ status }: GuardedResponse): void {
  if (status >= 300 && status < 400) {
    throw invalid("url", "redirects to another address, which is not followed");
  }
  if (status !== 200) throw invalid("url", `answered with status ${status}`);
}

function nameInUrl(url: string): string {
  if (!URL.canParse(url)) throw invalid("url", "is not an http or https address");
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Newest first unless sorted otherwise. */
export async function listFiles(ctx: Context, query: FileQuery): Promise<Page<StoredFile>> {
  requireRole(ctx, "viewer");
  const { by, after, key, cursorOf } = inOrder(query, files.id, {
    name: { value: sql`lower(${files.path})`, as: "text" },
    size: { value: sql`${files.size}::bigint`, as: "number" },
  });
  const rows = await ctx.db
    .select({ ...getTableColumns(files), key })
    .from(files)
    .where(
      and(
        eq(files.projectId, ctx.projectId),
        query.search ? sql`strpos(lower(${files.path}), lower(${query.search})) > 0` : undefined,
        after,
      ),
    )
    .orderBy(...by)
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toFile, cursorOf);
}

async function findRow(executor: Executor, ctx: Context, id: string): Promise<FileRow> {
  const uuid = decodeId("file", id);
  if (!uuid) throw notFound();
  const [row] = await executor
    .select()
    .from(files)
    .where(and(eq(files.projectId, ctx.projectId), eq(files.id, uuid)));
  if (!row) throw notFound();
  return row;
}

/** Throws NOT_FOUND. */
export async function getFile(ctx: Context, id: string): Promise<StoredFile> {
  requireRole(ctx, "viewer");
  return toFile(await findRow(ctx.db, ctx, id));
}

/** Mail that uses it shows a gap from now on. Throws NOT_FOUND. Needs editor. */
export async function deleteFile(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const row = await ctx.db.transaction(async (tx) => {
    const file = await findRow(tx, ctx, id);
    await tx.delete(files).where(eq(files.id, file.id));
    await audit(tx, ctx, "delete.file", encodeId("file", file.id), { path: file.path });
    return file;
  });
  await fileStore().delete(keyOf(row));
}

export interface PublicFile {
  name: string;
  contentType: string;
  size: number;
  sha256: Buffer;
  /** Whether it may be shown as a page; otherwise it is downloaded. */
  inline: boolean;
  /** null when the bytes are gone. */
  open(): Promise<ReadableStream<Uint8Array> | null>;
}

/** The file at a public address (project's wire id and decoded path); null: there is none. */
export async function findPublicFile(
  db: Database,
  project: string,
  path: string,
): Promise<PublicFile | null> {
  const projectId = decodeId("project", project);
  if (!projectId || path.includes("\0") || !path.isWellFormed()) return null;
  const row = await findByPath(db, projectId, path.normalize("NFC"));
  if (!row) return null;
  return {
    name: toFile(row).name,
    contentType: row.contentType,
    size: row.size,
    sha256: row.sha256,
    inline: isInline(row.contentType),
    open: () => fileStore().read(keyOf(row)),
  };
}
