import type { CallToolResult, JSONObject } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { dataNotice } from "./notice";
import type { PreparedTool } from "./tool-schemas";

/** Sends a request to the bearer API as the caller of the tool. */
export type AskApi = (request: {
  method: string;
  /** With its query. */
  path: string;
  body: string | null;
}) => Promise<Response>;

type Arguments = Record<string, unknown>;

interface ApiError {
  code: string;
  message: string;
  details?: readonly { path: string; message: string }[];
}

/** What a model can do about an error, besides what its message says. */
const remedies: Readonly<Record<string, string>> = {
  DOMAIN_NOT_VERIFIED:
    "Use list_domains for domains to send from, or add_domain and verify_domain.",
  NOT_FOUND: "Look the id up with the list tools; ids are never made up.",
  RATE_LIMIT_EXCEEDED: "Wait, then call the tool again.",
  PAYMENT_REQUIRED: "Nothing was sent. Tell the user that the month's limit is reached.",
  NOT_ALLOWED: "This API key may not do that. Ask the user for another key.",
};

export function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}

function requestFor(tool: PreparedTool, input: Arguments) {
  const rest: Arguments = { ...input };
  const take = (name: string) => {
    const value = rest[name];
    Reflect.deleteProperty(rest, name);
    return value;
  };
  const missing: string[] = [];
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(name);
    // Dots alone would be taken for a step in the path, and lead to another operation.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) missing.push(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const name of tool.queryArguments) {
    const value = take(name);
    if (value !== undefined && value !== null) query.set(name, asText(value));
  }
  // The operation refuses what it does not know, and names what that comes closest to.
  if (!tool.takesBody) {
    for (const [name, value] of Object.entries(rest)) query.set(name, asText(value));
  }
  return {
    missing,
    method: tool.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    body: tool.takesBody ? JSON.stringify(rest) : null,
  };
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

async function errorOf(response: Response): Promise<CallToolResult> {
  const { error } = (await response.json()) as { error: ApiError };
  if (response.status >= 500) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
  return refusal(error);
}

/** An error of the API as the answer of a tool, with what can be done about it. */
export function refusal(error: ApiError): CallToolResult {
  const details = (error.details ?? []).map(
    ({ path, message }) => `${path || "input"}: ${message}`,
  );
  const lines = [
    `${error.code}: ${error.message}`,
    ...details.filter((line) => !error.message.includes(line)),
    remedies[error.code] ?? "",
  ];
  return toolError(lines.filter(Boolean).join("\n"));
}

function picked(tool: PreparedTool, body: JSONObject): JSONObject {
  const { picks } = tool.declaration;
  if (!picks) return body;
  return Object.fromEntries(
    picks.filter((name) => name in body).map((name) => [name, body[name]]),
  ) as JSONObject;
}

/**
 * Runs the tool's operation. Faults that the caller can fix are tool errors, ours a ProtocolError.
 */
export async function callTool(
  tool: PreparedTool,
  input: Arguments,
  ask: AskApi,
): Promise<CallToolResult> {
  const { missing, ...request } = requestFor(tool, input);
  if (missing.length > 0) return toolError(`VALIDATION_ERROR: ${missing.join(", ")}: is required`);
  const response = await ask(request);
  if (!response.ok) return errorOf(response);
  const answer: JSONObject =
    response.status === 204 ? { done: true } : picked(tool, (await response.json()) as JSONObject);
  const text = JSON.stringify(answer);
  return {
    structuredContent: answer,
    content: [
      ...(tool.declaration.foreignText ? [{ type: "text" as const, text: dataNotice }] : []),
      { type: "text", text },
    ],
  };
}
