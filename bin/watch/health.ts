import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { database } from "@/db/client";
import { isDatabaseAway } from "@/db/errors";
import { pendingMigrations } from "@/db/migrate";
import { retrySeconds } from "@/lib/ground/unforeseen-errors";

/** `slow`: it has not said anything yet, which is no proof that it is away. */
type DatabaseState = "ready" | "away" | "slow" | "behind";

const patienceMilliseconds = 3_000;
/** A result is valid this long: a page costs no statement of its own while others are requested. */
const holdsMilliseconds = 500;

let newest: { at: number; state: Promise<DatabaseState> } | undefined;
let schemaIsRight = false;

async function look(): Promise<DatabaseState> {
  const { $client } = database();
  try {
    await $client`select 1`;
    // Migrations only go forward: what was right once stays right.
    schemaIsRight ||= (await pendingMigrations($client)).length === 0;
    return schemaIsRight ? "ready" : "behind";
  } catch (error) {
    if (isDatabaseAway(error)) return "away";
    throw error;
  }
}

/** Whether the database answers, and has the schema of this program. */
export function databaseState(): Promise<DatabaseState> {
  const now = performance.now();
  if (!newest || now - newest.at > holdsMilliseconds) {
    const patience = sleep(patienceMilliseconds, "slow" as const, { ref: false });
    newest = { at: now, state: Promise.race([look(), patience]) };
  }
  return newest.state;
}

const reasons: Record<Exclude<DatabaseState, "ready">, string> = {
  away: "The database cannot be reached.",
  slow: `The database did not answer within ${patienceMilliseconds / 1000} seconds.`,
  behind: "The database lacks migrations of this release.",
};

/**
 * `/healthz`: the program lives. `/readyz`: the database answers and has the right schema; 503 with the
 * reason otherwise. For load balancers and supervisors, without a credential. False for any other path.
 */
export async function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  if (path !== "/healthz" && path !== "/readyz") return false;
  response.setHeader("cache-control", "no-store");
  response.setHeader("content-type", "application/json");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end(JSON.stringify({ status: "refused" }));
    return true;
  }
  const state = path === "/healthz" ? "ready" : await databaseState();
  if (state === "ready") response.writeHead(200).end(JSON.stringify({ status: "ok" }));
  else {
    response.writeHead(503, { "retry-after": String(retrySeconds) });
    response.end(JSON.stringify({ status: "unavailable", reason: reasons[state] }));
  }
  return true;
}
