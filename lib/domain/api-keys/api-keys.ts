import { and, desc, eq, ilike, isNull, lt } from "drizzle-orm";
import { apiKeys } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { audit } from "@/lib/ground/audit";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { checksum, randomBase62, sha256 } from "@/lib/ground/secrets";
import type { ApiKey, ApiKeyCreate, ApiKeyCreated, ApiKeyQuery } from "./schema";

type Row = typeof apiKeys.$inferSelect;

const keyPrefixes = { live: "sk_live_", test: "sk_test_" } as const;

function toApiKey(row: Row): ApiKey {
  return {
    id: encodeId("apiKey", row.id),
    name: row.name,
    scope: row.scope,
    mode: row.mode,
    prefix: keyPrefixes[row.mode],
    last4: row.last4,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The secret part has 190 bits; the last six characters are a checksum of the rest. */
export function mintKey(mode: Row["mode"]): string {
  const body = keyPrefixes[mode] + randomBase62(32);
  return body + checksum(body);
}

/** Whether `text` looks like one of our keys: a mistyped one never reaches the database. */
export function isWellFormedKey(text: string): boolean {
  return (
    /^sk_(live|test)_[0-9A-Za-z]{38}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
  );
}

/**
 * Creates a key, of the kind of the one that asks unless told otherwise. The answer holds the secret, which cannot be
 * read again. Throws NOT_ALLOWED when a test key asks for a live one. Needs admin.
 */
export async function createApiKey(ctx: Context, input: ApiKeyCreate): Promise<ApiKeyCreated> {
  requireRole(ctx, "admin");
  const mode = input.mode ?? (ctx.testMode ? "test" : "live");
  if (ctx.testMode && mode === "live") {
    throw new AppError("NOT_ALLOWED", "A test key makes test keys only.");
  }
  const key = mintKey(mode);
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(apiKeys)
      .values({
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
        name: input.name,
        scope: input.scope ?? "full",
        mode,
        hash: sha256(key),
        last4: key.slice(-4),
      })
      .returning();
    const created = toApiKey(row as Row);
    await audit(tx, ctx, "create.apiKey", created.id, { name: created.name, scope: created.scope });
    return { ...created, key };
  });
}

/** The keys that have not been revoked, newest first. */
export async function listApiKeys(ctx: Context, query: ApiKeyQuery): Promise<Page<ApiKey>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.projectId, ctx.projectId),
        isNull(apiKeys.revokedAt),
        query.search ? ilike(apiKeys.name, containing(query.search)) : undefined,
        before ? lt(apiKeys.id, before) : undefined,
      ),
    )
    .orderBy(desc(apiKeys.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toApiKey, (row) => row.id);
}

/** Revokes a key; every process refuses it within a second. Needs admin. Throws NOT_FOUND. */
export async function deleteApiKey(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const uuid = decodeId("apiKey", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(
        and(eq(apiKeys.projectId, ctx.projectId), eq(apiKeys.id, uuid), isNull(apiKeys.revokedAt)),
      )
      .returning();
    if (!row) throw notFound();
    await audit(tx, ctx, "delete.apiKey", id, { name: row.name });
  });
}
