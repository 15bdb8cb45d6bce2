import type { Database } from "@/db/client";
import { roleNames, type Role } from "@/db/enums";
import { AppError } from "./errors";

/** Who is acting, as the audit log names it. */
export type Actor =
  | { type: "user"; id: string }
  | { type: "apiKey"; id: string }
  | { type: "assistant"; id: string; userId: string }
  | { type: "system"; id: null };

/** Where a request comes from. */
export interface Origin {
  /** The caller's IP address; "unknown" where there is no way to tell. */
  address: string;
  /** What the program calls itself; it may be anything. */
  userAgent: string;
}

/** The longest part of a User-Agent that is kept. */
const longestUserAgent = 500;

export function originOf(address: string, headers: Headers): Origin {
  return { address, userAgent: (headers.get("user-agent") ?? "").slice(0, longestUserAgent) };
}

/** The first argument of every domain function: on whose behalf, in which project, with which rights. */
export interface Context {
  db: Database;
  /** uuid */
  projectId: string;
  actor: Actor;
  role: Role;
  /** True for a key that may only send. */
  sendingOnly: boolean;
  /** True for `sk_test_` keys: what they send goes to the captured mailbox. */
  testMode: boolean;
  requestId: string;
  /** Absent for what the product does on its own. */
  origin?: Origin;
  /** The dashboard session that a person acts with; absent for programs and platform tokens. */
  session?: {
    /** uuid */
    id: string;
    /** Started by a platform token's link: it opens only this project. */
    onlyProject: boolean;
  };
  /** uuid of the platform token that a request came with. */
  platformTokenId?: string;
}

/** Whether the actor's role is `least` or above; false for keys that may only send. */
export function hasRole(ctx: Pick<Context, "role" | "sendingOnly">, least: Role): boolean {
  return !ctx.sendingOnly && roleNames.indexOf(ctx.role) >= roleNames.indexOf(least);
}

/** Throws NOT_ALLOWED unless the actor's role is `least` or above. Sending keys may only send. */
export function requireRole(ctx: Pick<Context, "role" | "sendingOnly">, least: Role): void {
  if (ctx.sendingOnly) {
    throw new AppError("NOT_ALLOWED", "This API key may only send email.");
  }
  if (!hasRole(ctx, least)) {
    throw new AppError(
      "NOT_ALLOWED",
      `This requires the role ${least} or above; yours is ${ctx.role}.`,
    );
  }
}

/** Throws NOT_ALLOWED for a test key: it has no say in mail that leaves. */
export function requireLive({ testMode }: Pick<Context, "testMode">): void {
  if (!testMode) return;
  throw new AppError(
    "NOT_ALLOWED",
    "A test key has no say in mail that leaves. Use a live key, or the dashboard.",
  );
}

/** Throws NOT_ALLOWED unless the actor may send email: editors and above, and every key. */
export function requireSend(ctx: Pick<Context, "role" | "sendingOnly">): void {
  if (!ctx.sendingOnly) requireRole(ctx, "editor");
}

/** Whether the actor has what an operation needs: a role, or the right to send. */
export function mayRun(ctx: Pick<Context, "role" | "sendingOnly">, access: Role | "send"): boolean {
  return access === "send" ? ctx.sendingOnly || hasRole(ctx, "editor") : hasRole(ctx, access);
}

/** The context of work that the product does on its own. */
export function systemContext(db: Database, projectId: string): Context {
  return {
    db,
    projectId,
    actor: { type: "system", id: null },
    role: "owner",
    sendingOnly: false,
    testMode: false,
    requestId: "system",
  };
}
