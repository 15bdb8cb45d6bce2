import type { CountRequest } from "@/lib/doors/http/surface/admission";
import { isAppError, type AppError } from "@/lib/ground/errors";
import { preparedTools } from "./tool-schemas";

/** The protocol's server refuses a longer batch without looking at its messages. */
const largestBatch = 100;

/** Calls of tools that are over the limit, by the ids of their messages. */
export type RefusedCalls = ReadonlyMap<string | number, AppError>;

interface Call {
  id: string | number;
  name: string;
}

/** The call that a message is, if somebody waits for its answer. */
function callIn(message: unknown): Call | null {
  const { id, method, params } = (message ?? {}) as Record<string, unknown>;
  const { name } = (params ?? {}) as Record<string, unknown>;
  const hasId = typeof id === "string" || typeof id === "number";
  return hasId && method === "tools/call" && typeof name === "string" ? { id, name } : null;
}

function messagesIn(body: unknown): readonly unknown[] {
  const isBatch = Array.isArray(body) && body.length > 0 && body.length <= largestBatch;
  return isBatch ? (body as unknown[]) : [body];
}

const rateOf = (call: Call | null) =>
  preparedTools().find(({ listed }) => listed.name === call?.name)?.rate ?? "api";

/**
 * Counts every message of a body once, before any of them is run: a tool's call towards the limit of its operation,
 * anything else as a request. Calls over the limit are returned, to be answered by their tools. Throws
 * RATE_LIMIT_EXCEEDED for other messages.
 */
export async function countMessages(
  body: unknown,
  countRequest: CountRequest,
): Promise<RefusedCalls> {
  const calls = messagesIn(body).map(callIn);
  const outcomes = await Promise.allSettled(calls.map((call) => countRequest(rateOf(call))));
  const refused = new Map<string | number, AppError>();
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === "fulfilled") continue;
    const call = calls[index];
    const error: unknown = outcome.reason;
    if (!call || !isAppError(error) || error.code !== "RATE_LIMIT_EXCEEDED") throw error;
    refused.set(call.id, error);
  }
  return refused;
}
