import { and, asc, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { apiKeys, assistants, auditLog, memberships, users } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import type { Page } from "@/lib/ground/paging/schema";
import { t } from "@/lib/ground/texts/t";
import type { AuditActor, AuditEntry, AuditFilters, AuditQuery } from "./schema";
import { auditSentence } from "./sentences";
import { readTargets, type NamedTarget } from "./targets";

type Row = typeof auditLog.$inferSelect & {
  person: string | null;
  key: string | null;
  assistant: string | null;
  principal: string | null;
};

/** The people that assistants act for. */
const principals = alias(users, "principals");

const kindByPrefix = { usr: "user", key: "apiKey", ast: "assistant" } as const;

/** Conditions for what the filters let through. */
export function conditionsOf(ctx: Context, { action, actor, ...dates }: AuditFilters): SQL[] {
  const conditions = [eq(auditLog.projectId, ctx.projectId)];
  if (action) conditions.push(eq(auditLog.action, action));
  if (actor === "system") conditions.push(eq(auditLog.actorType, "system"));
  else if (actor) {
    const type = kindByPrefix[actor.slice(0, 3) as keyof typeof kindByPrefix];
    const uuid = decodeId(type, actor);
    // Written out, so that the planner sees the partial index fit.
    conditions.push(type === "user" ? sql`actor_type = 'user'` : eq(auditLog.actorType, type));
    conditions.push(uuid ? eq(auditLog.actorId, uuid) : sql`false`);
  }
  return [...conditions, ...withinDates(sql`${auditLog.createdAt}`, dates)];
}

function toActor({ actorType, actorId, person, key, assistant, principal }: Row): AuditActor {
  if (actorType === "system" || actorId === null) return { type: "system", id: null, name: "" };
  const names = {
    user: person,
    apiKey: key,
    assistant: assistant && t("{assistant} for {person}", { assistant, person: principal }),
  };
  return {
    type: actorType,
    id: encodeId(actorType, actorId),
    name: names[actorType] ?? t("(deleted)"),
  };
}

/** What an entry itself says about something that has been deleted. */
function keptName(id: string, details: Record<string, unknown>): string {
  const kept = details["name"] ?? details["url"] ?? details["path"] ?? details["pattern"];
  if (typeof kept === "string") return kept;
  return /^(con|sub)_/.test(id) ? t("a deleted contact") : t("(deleted)");
}

function toEntry(row: Row, targets: ReadonlyMap<string, NamedTarget>): AuditEntry {
  const { target, details } = row;
  const present = target === null ? undefined : targets.get(target);
  // Before there was a column for it, sign-ins kept the address among the details.
  const { address: earlier, ...rest } = details;
  const actor = toActor(row);
  return {
    id: encodeId("audit", row.id),
    action: row.action,
    actor,
    sentence: auditSentence({ action: row.action, actor, details }),
    target:
      target === null
        ? null
        : {
            id: target,
            name: present?.name ?? keptName(target, details),
            pageId: present?.pageId ?? null,
          },
    details: rest,
    address: row.address ?? (typeof earlier === "string" ? earlier : null),
    userAgent: row.userAgent,
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Entries that meet the conditions, newest first, with the uuids they are paged by. */
export async function readEntries(
  ctx: Context,
  conditions: readonly SQL[],
  limit: number,
): Promise<{ id: string; entry: AuditEntry }[]> {
  const rows = await ctx.db
    .select({
      log: auditLog,
      person: users.email,
      key: apiKeys.name,
      assistant: assistants.name,
      principal: principals.email,
    })
    .from(auditLog)
    .leftJoin(users, and(eq(users.id, auditLog.actorId), eq(auditLog.actorType, "user")))
    .leftJoin(apiKeys, and(eq(apiKeys.id, auditLog.actorId), eq(auditLog.actorType, "apiKey")))
    .leftJoin(
      assistants,
      and(eq(assistants.id, auditLog.actorId), eq(auditLog.actorType, "assistant")),
    )
    .leftJoin(principals, eq(principals.id, assistants.userId))
    .where(and(...conditions))
    .orderBy(desc(auditLog.id))
    .limit(limit);
  const targets = await readTargets(
    ctx,
    rows.flatMap(({ log: { target } }) => target ?? []),
  );
  return rows.map(({ log, ...names }) => ({
    id: log.id,
    entry: toEntry({ ...log, ...names }, targets),
  }));
}

/** Who did what in the project, newest first. Needs admin. */
export async function listAuditEntries(ctx: Context, query: AuditQuery): Promise<Page<AuditEntry>> {
  requireRole(ctx, "admin");
  const { cursor, limit, ...filters } = query;
  const conditions = conditionsOf(ctx, filters);
  const after = readCursor(cursor);
  if (after) conditions.push(lt(auditLog.id, after));
  return pageOf(
    await readEntries(ctx, conditions, limit + 1),
    limit,
    ({ entry }) => entry,
    ({ id }) => id,
  );
}

/**
 * Everybody whose acts may be in the log: the project's people, keys and assistants, including former ones. Needs
 * admin.
 */
export async function listAuditActors(ctx: Context): Promise<{ data: AuditActor[] }> {
  requireRole(ctx, "admin");
  const people = await ctx.db
    .select({ id: users.id, name: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.projectId, ctx.projectId))
    .orderBy(asc(users.email))
    .limit(500);
  const keys = await ctx.db
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(eq(apiKeys.projectId, ctx.projectId))
    .orderBy(desc(apiKeys.id))
    .limit(500);
  const connected = await ctx.db
    .select({ id: assistants.id, name: assistants.name })
    .from(assistants)
    .where(eq(assistants.projectId, ctx.projectId))
    .orderBy(desc(assistants.id))
    .limit(500);
  return {
    data: [
      ...people.map(({ id, name }) => ({ type: "user" as const, id: encodeId("user", id), name })),
      ...keys.map(({ id, name }) => ({
        type: "apiKey" as const,
        id: encodeId("apiKey", id),
        name,
      })),
      ...connected.map(({ id, name }) => ({
        type: "assistant" as const,
        id: encodeId("assistant", id),
        name,
      })),
    ],
  };
}
