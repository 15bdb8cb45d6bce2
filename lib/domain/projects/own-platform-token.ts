import { and, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { platformTokens } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import {
  findOrCreatePlatformToken,
  readPlatformToken,
  rotatePlatformToken,
} from "./platform-tokens";
import type { PlatformToken, PlatformTokenRevealed } from "./schema";

/** The person who is acting: a token belongs to them alone, whatever their role. */
function ownerOf(ctx: Context) {
  requireRole(ctx, "viewer");
  if (ctx.actor.type !== "user") {
    throw new AppError("NOT_ALLOWED", "A platform token belongs to a person.");
  }
  return { projectId: ctx.projectId, userId: ctx.actor.id };
}

type Owner = ReturnType<typeof ownerOf>;

async function read<Token extends string | null>(
  executor: Executor,
  owner: Owner,
  find: (executor: Executor, owner: Owner) => Promise<Token>,
) {
  const token = await find(executor, owner);
  const [row] = await executor
    .select({ rotatedAt: platformTokens.rotatedAt })
    .from(platformTokens)
    .where(
      and(eq(platformTokens.projectId, owner.projectId), eq(platformTokens.userId, owner.userId)),
    );
  if (!row) throw new Error("The platform token was deleted while being read.");
  return { token, rotatedAt: row.rotatedAt.toISOString() };
}

async function reveal(executor: Executor, owner: Owner): Promise<PlatformTokenRevealed> {
  const { token, rotatedAt } = await read(executor, owner, findOrCreatePlatformToken);
  return { token, last4: token.slice(-4), rotatedAt };
}

/** The actor's own token without its text; created on first use. Throws NOT_ALLOWED for API keys. */
export async function getPlatformToken(ctx: Context): Promise<PlatformToken> {
  const { token, rotatedAt } = await read(ctx.db, ownerOf(ctx), readPlatformToken);
  return { last4: token === null ? null : token.slice(-4), rotatedAt };
}

/** The actor's own token with its text; audited. Throws NOT_ALLOWED for API keys, CONFLICT when it cannot be read. */
export async function revealPlatformToken(ctx: Context): Promise<PlatformTokenRevealed> {
  const owner = ownerOf(ctx);
  return ctx.db.transaction(async (tx) => {
    const revealed = await reveal(tx, owner);
    await audit(tx, ctx, "reveal.platformToken", null);
    return revealed;
  });
}

/** Replaces the actor's own token; the old one stops working at once. Throws NOT_ALLOWED for API keys. */
export async function rotateOwnPlatformToken(ctx: Context): Promise<PlatformTokenRevealed> {
  const owner = ownerOf(ctx);
  return ctx.db.transaction(async (tx) => {
    await rotatePlatformToken(tx, owner);
    await audit(tx, ctx, "rotate.platformToken", null);
    return reveal(tx, owner);
  });
}
