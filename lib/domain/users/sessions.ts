import { and, desc, eq, gt, ne, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { decode, type JWT } from "next-auth/jwt";
import { executePrepared, type Database, type Executor } from "@/db/client";
import type { Role } from "@/db/enums";
import { assignments } from "@/db/names";
import { memberships, platformTokens, projects, secondFactors, sessions, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { requireRole, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { acceptedSecrets } from "@/lib/ground/secrets";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { auditUser } from "./audit";
import type { Session } from "./schema";

/** The name of the session cookie; browsers accept the prefixed one over https only. */
export function sessionCookieName(): string {
  return env().APP_URL.startsWith("https:") ? "__Secure-lettermill.session" : "lettermill.session";
}

/** How long a session lasts from signing in, however much it is used: 30 days. */
export const sessionLifeSeconds = 30 * 24 * 60 * 60;

export interface SessionUser {
  /** uuid */
  id: string;
  email: string;
  name: string;
}

export interface SignedIn {
  /** uuid of the session. */
  id: string;
  user: SessionUser;
  /** uuid: the one project it opens, after signing in by a platform token's link; null: all of the user's. */
  onlyProjectId: string | null;
  /** The user's role in the project asked about; null where the session does not open it. */
  role: Role | null;
  /** The project asked about lets its member in only once their sign-in takes two steps: `role` is null. */
  lacksTwoStep: boolean;
}

/** Starts a session. Its uuid is what the cookie carries; `onlyProjectId` as in SignedIn. */
export async function createSession(
  db: Executor,
  input: {
    userId: string;
    /** The platform token whose link signed in. */
    platformTokenId: string | null;
    address: string;
    userAgent: string;
  },
): Promise<{ id: string; onlyProjectId: string | null }> {
  const [session] = await db
    .insert(sessions)
    .values({
      ...input,
      userAgent: input.userAgent.slice(0, 500),
      expiresAt: sql`app_now() + make_interval(secs => ${sessionLifeSeconds})`,
    })
    .returning({
      id: sessions.id,
      onlyProjectId: sql<string | null>`(select ${platformTokens.projectId} from ${platformTokens}
        where ${platformTokens.id} = ${sessions.platformTokenId})`,
    });
  if (!session) throw new Error("An insert returned no row.");
  return session;
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The uuid of the session that a request's cookie names; null for no cookie, or one that is not ours. */
async function sessionIdOf(headers: Headers): Promise<string | null> {
  const name = sessionCookieName();
  const cookie = (headers.get("cookie") ?? "")
    .split(/; */)
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  // The token needs no escapes: one that has some is not ours.
  if (!cookie || cookie.includes("%")) return null;
  const token = await decodeSessionToken(cookie);
  const id = token?.["sid"];
  return typeof id === "string" && isUuid.test(id) ? id : null;
}

/** What a session's cookie says, made with any secret of ours; null for one that is not, or is out of date. */
export async function decodeSessionToken(token: string | undefined): Promise<JWT | null> {
  for (const secret of token ? acceptedSecrets() : []) {
    const decoded = await decode({ token, secret }).catch(() => null);
    if (decoded) return decoded;
  }
  return null;
}

interface SignedInRow extends Record<string, unknown> {
  user_id: string;
  email: string;
  name: string;
  only_project_id: string | null;
  role: Role | null;
  lacks_two_step: boolean;
}

/** SQL: whether the project (joined) lets in only those whose sign-in takes two steps, and `userId` is none. */
export const lacksTwoStep = (userId: PgColumn) => sql<boolean>`(
  coalesce(${projects.requiresTwoStep}, false) and not exists (
    select from ${secondFactors} where ${secondFactors.userId} = ${userId}
      and ${secondFactors.confirmedAt} is not null))`;

/**
 * Who is signed in with a request's cookie, and their role in `projectId`, in one statement. Null without
 * a session: signed out, ended elsewhere, or older than 30 days.
 */
export async function findSession(
  db: Executor,
  headers: Headers,
  projectId: string | null = null,
): Promise<SignedIn | null> {
  const id = await sessionIdOf(headers);
  if (id === null) return null;
  const [row] = await executePrepared<SignedInRow>(
    db,
    sql`
    with seen as (
      update ${sessions} set ${assignments(sessions, { lastSeenAt: now })}
      where ${sessions.id} = ${id}::uuid
        and ${sessions.lastSeenAt} < app_now() - interval '5 minutes'
    )
    select ${users.id} as user_id, ${users.email}, ${users.name},
      ${platformTokens.projectId} as only_project_id, ${memberships.role},
      ${lacksTwoStep(sessions.userId)} as lacks_two_step
    from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
      left join ${platformTokens} on ${platformTokens.id} = ${sessions.platformTokenId}
      left join ${memberships} on ${memberships.projectId} = ${projectId}::uuid
        and ${memberships.userId} = ${sessions.userId}
        and (${platformTokens.id} is null
          or ${platformTokens.projectId} = ${memberships.projectId})
      left join ${projects} on ${projects.id} = ${memberships.projectId}
    where ${sessions.id} = ${id}::uuid and ${sessions.expiresAt} > app_now()`,
  );
  if (!row) return null;
  return {
    id,
    user: { id: row.user_id, email: row.email, name: row.name },
    onlyProjectId: row.only_project_id,
    role: row.lacks_two_step ? null : row.role,
    lacksTwoStep: row.lacks_two_step,
  };
}

/** Signs out: the session's cookie stops working, wherever it is held. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [ended] = await tx
      .delete(sessions)
      .where(eq(sessions.id, sessionId))
      .returning({
        userId: sessions.userId,
        onlyProjectId: sql<string | null>`(select ${platformTokens.projectId} from ${platformTokens}
          where ${platformTokens.id} = ${sessions.platformTokenId})`,
      });
    if (!ended) return;
    await auditUser(tx, ended.userId, {
      action: "end.sessions",
      actor: { type: "user", id: ended.userId },
      projectId: ended.onlyProjectId,
      details: { by: "signOut", sessions: 1 },
      requestId: newRequestId(),
    });
  });
}

/** Signs a user out everywhere, but in the session `keep` (uuid); resolves to how many sessions have ended. */
export async function endSessionsOf(db: Executor, userId: string, keep?: string): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep)))
    .returning({ id: sessions.id });
  return ended.length;
}

/** The session that asks. Throws NOT_ALLOWED for keys and platform tokens, which have none. */
function askingSession(ctx: Context): { id: string; userId: string; conditions: SQL[] } {
  requireRole(ctx, "viewer");
  const { actor, session } = ctx;
  if (actor.type !== "user" || !session) {
    throw new AppError("NOT_ALLOWED", "Sessions belong to a person who is signed in.");
  }
  const conditions = [eq(sessions.userId, actor.id), gt(sessions.expiresAt, sql`app_now()`)];
  // One that opens a single project neither sees nor ends those that open the others.
  if (session.onlyProject) conditions.push(eq(platformTokens.projectId, ctx.projectId));
  return { id: session.id, userId: actor.id, conditions };
}

/** The actor's own sessions, last used first. Throws NOT_ALLOWED for keys. */
export async function listSessions(ctx: Context): Promise<{ data: Session[] }> {
  const { id, conditions } = askingSession(ctx);
  const rows = await ctx.db
    .select({ session: sessions, onlyProjectId: platformTokens.projectId })
    .from(sessions)
    .leftJoin(platformTokens, eq(platformTokens.id, sessions.platformTokenId))
    .where(and(...conditions))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(200);
  return {
    data: rows.map(({ session, onlyProjectId }) => ({
      id: encodeId("session", session.id),
      current: session.id === id,
      address: session.address,
      userAgent: session.userAgent,
      onlyProjectId: onlyProjectId === null ? null : encodeId("project", onlyProjectId),
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    })),
  };
}

/** Deletes the actor's sessions that match; resolves to how many. */
async function endOwn(ctx: Context, matching: SQL): Promise<number> {
  const { userId, conditions } = askingSession(ctx);
  return ctx.db.transaction(async (tx) => {
    const visible = tx
      .select({ id: sessions.id })
      .from(sessions)
      .leftJoin(platformTokens, eq(platformTokens.id, sessions.platformTokenId))
      .where(and(...conditions, matching));
    const ended = await tx
      .delete(sessions)
      .where(sql`${sessions.id} in ${visible}`)
      .returning({ id: sessions.id });
    if (ended.length > 0) {
      await auditUser(tx, userId, {
        action: "end.sessions",
        actor: ctx.actor,
        details: { sessions: ended.length },
        origin: ctx.origin,
        requestId: ctx.requestId,
      });
    }
    return ended.length;
  });
}

/** Ends one of the actor's own sessions. Throws NOT_FOUND, NOT_ALLOWED for keys. */
export async function endOwnSession(ctx: Context, id: string): Promise<void> {
  const uuid = decodeId("session", id);
  if (!uuid || (await endOwn(ctx, eq(sessions.id, uuid))) === 0) throw notFound();
}

/** Ends all of the actor's sessions but the one that asks. Throws NOT_ALLOWED for keys. */
export async function endOtherSessions(ctx: Context): Promise<void> {
  await endOwn(ctx, ne(sessions.id, askingSession(ctx).id));
}
