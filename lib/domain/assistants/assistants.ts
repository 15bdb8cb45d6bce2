import { and, desc, eq, isNull, sql, type SQL } from "drizzle-orm";
import { assistants, assistantTokens, users } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { hasRole, requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { Assistant } from "./schema";
import { endTokens } from "./tokens";

const mostListed = 200;

/** The assistants that the actor may see and end: all of the project's for admins, otherwise only their own. */
function visible(ctx: Context): (SQL | undefined)[] {
  requireRole(ctx, "viewer");
  const { actor, projectId } = ctx;
  const own = actor.type === "user" ? eq(assistants.userId, actor.id) : sql`false`;
  return [
    eq(assistants.projectId, projectId),
    isNull(assistants.endedAt),
    hasRole(ctx, "admin") ? undefined : own,
  ];
}

/** The assistants that can still sign in, newest first. */
export async function listAssistants(ctx: Context): Promise<{ data: Assistant[] }> {
  const rows = await ctx.db
    .select({ assistant: assistants, person: users.email })
    .from(assistants)
    .innerJoin(users, eq(users.id, assistants.userId))
    .where(
      and(
        ...visible(ctx),
        sql`exists (select from ${assistantTokens}
          where ${assistantTokens.assistantId} = ${assistants.id}
            and ${assistantTokens.kind} = 'refresh' and ${assistantTokens.usedAt} is null
            and ${assistantTokens.expiresAt} > app_now())`,
      ),
    )
    .orderBy(desc(assistants.id))
    .limit(mostListed);
  return {
    data: rows.map(({ assistant: row, person }) => ({
      id: encodeId("assistant", row.id),
      name: row.name,
      host: row.host,
      scope: row.scope,
      person,
      own: row.userId === ctx.actor.id,
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    })),
  };
}

/** Ends an assistant: its tokens are refused from the next request onwards. Throws NOT_FOUND. */
export async function endAssistant(ctx: Context, id: string): Promise<void> {
  const uuid = decodeId("assistant", id);
  const conditions = visible(ctx);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(assistants)
      .where(and(...conditions, eq(assistants.id, uuid)));
    if (!row || !(await endTokens(tx, row))) throw notFound();
    await audit(tx, ctx, "end.assistant", id, { name: row.name });
  });
}
