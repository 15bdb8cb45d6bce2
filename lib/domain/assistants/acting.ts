import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments } from "@/db/names";
import { assistants, assistantTokens, memberships, projects } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { roleNames, type AssistantScope, type Role } from "@/db/enums";
import { limitsOf, type ProjectLimits } from "@/lib/domain/api-keys/acting";
import { AppError } from "@/lib/ground/errors";
import type { Context } from "@/lib/ground/context";
import type { RateRule } from "@/lib/ground/rate-limit";
import { sha256 } from "@/lib/ground/secrets";
import { isAccessToken } from "./tokens";

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
  user_id: string;
  scope: AssistantScope;
  role: Role;
  sends: number | null;
  requests: number | null;
}

const lower = (left: Role, right: Role): Role =>
  roleNames.indexOf(left) < roleNames.indexOf(right) ? left : right;

/** What an assistant may do: never more than its person currently may, nor more than an API key. */
function rightsOf(scope: AssistantScope, role: Role): Pick<Context, "role" | "sendingOnly"> {
  if (scope === "read") return { role: "viewer", sendingOnly: false };
  const capped = lower(role, "admin");
  if (scope === "full") return { role: capped, sendingOnly: false };
  if (role === "viewer") {
    throw new AppError(
      "NOT_ALLOWED",
      "The person this assistant acts for may no longer send email.",
    );
  }
  return { role: capped, sendingOnly: true };
}

/**
 * In whose name an access token acts, and within which limits. Null when the token is unknown or expired, the
 * assistant has been disconnected, or its person has left the project. Throws NOT_ALLOWED for sending without
 * permission.
 */
export async function findAssistant(
  db: Database,
  token: string,
): Promise<{
  context: Omit<Context, "db" | "requestId" | "origin">;
  rules: Record<"send" | "api", RateRule>;
} | null> {
  if (!isAccessToken(token)) return null;
  // The same statement records the use, at most once a minute.
  const [row] = await executePrepared<Row>(
    db,
    sql`
    with matched as (
      select ${assistants.id}, ${assistants.projectId}, ${assistants.userId}, ${assistants.scope}, ${memberships.role},
        ${assistants.lastUsedAt} as used_at, ${projects.sendsPerMinute} as sends,
        ${projects.requestsPerTenSeconds} as requests
      from ${assistantTokens}
        join ${assistants} on ${assistants.id} = ${assistantTokens.assistantId}
        join ${memberships} on ${memberships.projectId} = ${assistants.projectId}
          and ${memberships.userId} = ${assistants.userId}
        join ${projects} on ${projects.id} = ${assistants.projectId}
      where ${assistantTokens.hash} = ${sha256(token)} and ${assistantTokens.kind} = 'access'
        and ${assistantTokens.expiresAt} > app_now() and ${assistants.endedAt} is null
    ), used as (
      update ${assistants} set ${assignments(assistants, { lastUsedAt: now })}
      where ${assistants.id} in (
        select ${assistants.id} from ${assistants} join matched on matched.id = ${assistants.id}
        where matched.used_at is null or matched.used_at < app_now() - interval '1 minute'
        for update of ${assistants} skip locked
      )
    )
    select id, project_id, user_id, scope, role, sends, requests from matched`,
  );
  if (!row) return null;
  const limits: ProjectLimits = { sendsPerMinute: row.sends, requestsPerTenSeconds: row.requests };
  return {
    context: {
      projectId: row.project_id,
      actor: { type: "assistant", id: row.id, userId: row.user_id },
      ...rightsOf(row.scope, row.role),
      testMode: false,
    },
    rules: limitsOf(row.id, limits),
  };
}
