import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Executor, Transaction } from "@/db/client";
import { assistants, assistantTokens } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { AssistantScope, AssistantTokenKind } from "@/db/enums";
import { audit, auditAll } from "@/lib/ground/audit";
import type { Context, Origin } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { livesHere } from "@/lib/ground/queue/resting-projects";
import { checksum, equalSecrets, randomBase62, sha256 } from "@/lib/ground/secrets";
import { findClient } from "./clients";
import { OAuthFault } from "./fault";

const prefixes: Record<AssistantTokenKind, string> = {
  code: "lmc_",
  access: "lma_",
  refresh: "lmr_",
};
/**
 * How long each lives, in seconds. A refresh token is replaced at each use, so its lifetime is how long it may go
 * unused.
 */
const lifeSeconds: Record<AssistantTokenKind, number> = {
  code: 60,
  access: 60 * 60,
  refresh: 30 * 24 * 60 * 60,
};

/**
 * An answer may be lost on its way, or two requests of one program may renew at once: for this long a refresh token
 * may be shown again. A thief gains nothing by this that being first would not give them anyway.
 */
const repeatSeconds = 60;

type Assistant = Pick<typeof assistants.$inferSelect, "id" | "projectId" | "userId">;

/** Whether this has the form of an assistant's access token, and not of an API key. */
export function isAccessToken(text: string): boolean {
  return /^lma_[0-9A-Za-z]{38}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** Stores a new token of a kind; resolves to what its holder shows. */
export async function mintToken(
  db: Executor,
  { id, projectId, userId }: Assistant,
  kind: AssistantTokenKind,
  binding: { redirectUri?: string; codeChallenge?: string } = {},
): Promise<string> {
  const body = prefixes[kind] + randomBase62(32);
  const token = body + checksum(body);
  await db.insert(assistantTokens).values({
    hash: sha256(token),
    assistantId: id,
    projectId,
    userId,
    kind,
    ...binding,
    expiresAt: sql`app_now() + make_interval(secs => ${lifeSeconds[kind]})`,
  });
  return token;
}

/** Where a request comes from, for the audit log. */
export interface AssistantOrigin extends Origin {
  requestId: string;
}

/** Revokes an assistant's tokens. False when it had already ended. */
export async function endTokens(
  db: Executor,
  { id, projectId }: Pick<Assistant, "id" | "projectId">,
): Promise<boolean> {
  await db.delete(assistantTokens).where(eq(assistantTokens.assistantId, id));
  const ended = await db
    .update(assistants)
    .set({ endedAt: now })
    .where(
      and(
        eq(assistants.projectId, projectId),
        eq(assistants.id, id),
        sql`${assistants.endedAt} is null`,
      ),
    )
    .returning({ id: assistants.id });
  return ended.length > 0;
}

/** Revokes all assistants of a person (uuid), in every project, because they have another password. */
export async function endAssistantsOf(
  tx: Transaction,
  userId: string,
  by: Pick<Context, "origin" | "requestId">,
): Promise<void> {
  await tx.delete(assistantTokens).where(eq(assistantTokens.userId, userId));
  const ended = await tx
    .update(assistants)
    .set({ endedAt: now })
    .where(
      and(
        eq(assistants.userId, userId),
        isNull(assistants.endedAt),
        livesHere(assistants.projectId),
      ),
    )
    .returning({ id: assistants.id, projectId: assistants.projectId, name: assistants.name });
  await auditAll(
    tx,
    ended.map(({ id, projectId, name }) => ({
      ctx: { ...by, projectId, actor: { type: "user", id: userId } },
      action: "end.assistant",
      target: encodeId("assistant", id),
      details: { name, by: "passwordReset" },
    })),
  );
}

interface Held {
  assistant: typeof assistants.$inferSelect;
  token: typeof assistantTokens.$inferSelect;
  expired: boolean;
  /** Whether it was used a moment ago. */
  repeatable: boolean;
}

/**
 * The token, with its row locked until the transaction ends, so that of two callers who present it one comes
 * second.
 */
async function hold(tx: Executor, text: string, kind: AssistantTokenKind): Promise<Held | null> {
  const [held] = await tx
    .select({
      assistant: assistants,
      token: assistantTokens,
      expired: sql<boolean>`${assistantTokens.expiresAt} <= app_now()`,
      repeatable: sql<boolean>`coalesce(${assistantTokens.kind} = 'refresh'
        and ${assistantTokens.usedAt} > app_now() - make_interval(secs => ${repeatSeconds}), false)`,
    })
    .from(assistantTokens)
    .innerJoin(assistants, eq(assistants.id, assistantTokens.assistantId))
    .where(and(eq(assistantTokens.hash, sha256(text)), eq(assistantTokens.kind, kind)))
    .for("update", { of: assistantTokens });
  return held ?? null;
}

export interface TokenPair {
  access: string;
  refresh: string;
  scope: AssistantScope;
  expiresInSeconds: number;
}

const refused = (what: string) =>
  new OAuthFault("invalid_grant", `The ${what} is unknown, was used before, or has expired.`);

/**
 * Exchanges a code or a refresh token for a new pair, once. If it is presented a second time (other than a refresh
 * token within a minute), somebody else has it, and the assistant ends (RFC 6749, 4.1.2; RFC 9700, 4.14.2). Throws
 * OAuthFault.
 */
async function exchange(
  db: Database,
  shown: { token: string; kind: "code" | "refresh"; clientId: string },
  origin: AssistantOrigin,
  check: (token: Held["token"]) => OAuthFault | null,
): Promise<TokenPair> {
  const client = await findClient(db, shown.clientId);
  if (!client) {
    throw new OAuthFault("invalid_client", "The client is not known here. Register it again.");
  }
  const credential = shown.kind === "code" ? "code" : "refresh token";
  // The end of the assistant must be committed, so its fault is thrown outside.
  const outcome = await db.transaction(async (tx) => {
    const held = await hold(tx, shown.token, shown.kind);
    if (!held || held.assistant.clientId !== client.id) return refused(credential);
    const { assistant, token, expired, repeatable } = held;
    if (token.usedAt !== null && !repeatable) {
      if (await endTokens(tx, assistant)) {
        const ctx = {
          projectId: assistant.projectId,
          actor: { type: "system", id: null } as const,
          ...{ requestId: origin.requestId, origin },
        };
        await audit(tx, ctx, "end.assistant", encodeId("assistant", assistant.id), {
          name: assistant.name,
          by: "reuse",
        });
      }
      return refused(credential);
    }
    if (token.usedAt === null) {
      await tx
        .update(assistantTokens)
        .set({ usedAt: now })
        .where(eq(assistantTokens.hash, token.hash));
    }
    if (expired) return refused(credential);
    const fault = check(token);
    if (fault) return fault;
    return {
      access: await mintToken(tx, assistant, "access"),
      refresh: await mintToken(tx, assistant, "refresh"),
      scope: assistant.scope,
      expiresInSeconds: lifeSeconds.access,
    };
  });
  if (outcome instanceof OAuthFault) throw outcome;
  return outcome;
}

/** Exchanges a code for tokens; `redirectUri` and `verifier` as the client asked for it. Throws OAuthFault. */
export function exchangeCode(
  db: Database,
  shown: { code: string; clientId: string; redirectUri: string; verifier: string },
  origin: AssistantOrigin,
): Promise<TokenPair> {
  const { code, clientId, redirectUri, verifier } = shown;
  return exchange(db, { token: code, kind: "code", clientId }, origin, (token) => {
    if (token.redirectUri !== redirectUri) {
      return new OAuthFault(
        "invalid_grant",
        "redirect_uri is not the one the code was requested with.",
      );
    }
    const challenge = sha256(verifier).toString("base64url");
    return /^[\w.~-]{43,128}$/.test(verifier) && equalSecrets(challenge, token.codeChallenge ?? "")
      ? null
      : new OAuthFault("invalid_grant", "code_verifier does not match the code's code_challenge.");
  });
}

/** Exchanges a refresh token for the next pair. Throws OAuthFault. */
export function refreshTokens(
  db: Database,
  shown: { token: string; clientId: string },
  origin: AssistantOrigin,
): Promise<TokenPair> {
  return exchange(db, { ...shown, kind: "refresh" }, origin, () => null);
}

/** Ends the assistant that this token belongs to; an unknown token counts as already ended (RFC 7009, 2.2). */
export async function revokeToken(
  db: Database,
  { token, clientId }: { token: string; clientId: string },
  origin: AssistantOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    const held = (await hold(tx, token, "refresh")) ?? (await hold(tx, token, "access"));
    if (!held || encodeId("oauthClient", held.assistant.clientId) !== clientId) return;
    const { assistant } = held;
    if (!(await endTokens(tx, assistant))) return;
    const ctx = {
      projectId: assistant.projectId,
      actor: { type: "assistant", id: assistant.id, userId: assistant.userId } as const,
      ...{ requestId: origin.requestId, origin },
    };
    await audit(tx, ctx, "end.assistant", encodeId("assistant", assistant.id), {
      name: assistant.name,
      by: "assistant",
    });
  });
}
