import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddress, isTrusted } from "@/lib/doors/http/surface/client-address";
import { hostIn, projectOfHost, siteOf } from "@/lib/doors/http/surface/site";
import { isHostPath } from "@/lib/doors/http/public/paths";
import { appHost } from "@/lib/domain/sending-domains/records";
import { env } from "@/lib/ground/env/env";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { hostProofPath } from "@/lib/mail/tracking/urls";

const last = (header: string | string[] | undefined) => [header ?? []].flat().at(-1);

/** The hosts a request names: what a trusted proxy says it was asked for, then what it asked us for. */
function hostsOf(request: IncomingMessage): string[] {
  const behindProxy = isTrusted(request.socket.remoteAddress ?? "");
  const forwarded = behindProxy ? last(request.headers["x-forwarded-host"]) : undefined;
  const names = [forwarded?.split(",").at(-1), request.headers.host];
  return names.flatMap((name) => (name ? [hostIn(name)] : []));
}

function answerNothing(response: ServerResponse, status: number): void {
  response.writeHead(status, { "cache-control": "no-store", "content-length": "0" }).end();
}

/**
 * Refuses what a host does not serve: 421 under one that is not ours, 404 for all but recipients' pages under
 * a domain's own host. Otherwise resolves to the project (uuid) whose pages those are; null: every project's.
 */
export async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<{ projectId: string | null } | "refused"> {
  // A check of a new host must not be told what was true before.
  const site = await siteOf(hostsOf(request), { fresh: path === hostProofPath });
  if (site === "app") return { projectId: null };
  if (site !== "unknown" && isHostPath(path)) return site;
  answerNothing(response, site === "unknown" ? 421 : 404);
  return "refused";
}

/** Whether it comes from this machine or a trusted proxy itself, not from somebody behind one. */
function isFromInside(request: IncomingMessage): boolean {
  const { remoteAddress = "" } = request.socket;
  const forwarded = request.headers["x-forwarded-for"];
  if (!isTrusted(remoteAddress)) return isLoopback(remoteAddress) && forwarded === undefined;
  const headers = { "x-forwarded-for": [forwarded ?? []].flat().join(", ") };
  const caller = clientAddress(new Request("http://web", { headers }), { incoming: request });
  return isTrusted(caller) || isLoopback(caller);
}

/**
 * `/internal/tls-ask?domain=`: whether a proxy in front may get a certificate for a host, 200 or 404, as Caddy
 * asks. Only for the proxy: to everybody else there is no such address. False for any other path.
 */
export async function answerTlsAsk(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): Promise<boolean> {
  const [path, query = ""] = target.split("?", 2);
  if (path !== "/internal/tls-ask") return false;
  const host = hostIn(new URLSearchParams(query).get("domain") ?? "");
  const isOurs = async () =>
    host === appHost() ||
    env().APP_HOSTS.includes(host) ||
    (await projectOfHost(host, { fresh: true })) !== null;
  answerNothing(response, isFromInside(request) && (await isOurs()) ? 200 : 404);
  return true;
}
