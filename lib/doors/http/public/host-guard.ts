import type { Context, MiddlewareHandler } from "hono";
import type { Database } from "@/db/client";
import { isPixelOf, linkOwners } from "@/lib/domain/opt-outs/link-owner";
import { hostProof } from "@/lib/domain/sending-domains/tracking-hosts";
import { hostProofPath } from "@/lib/mail/tracking/urls";
import { setPrivate, unknownLink, type Env } from "./recipient-form";

/** The paths of pages and what is named behind them; a click's link itself says whose it is. */
const named: readonly (readonly [prefix: string, kind: keyof typeof linkOwners])[] = [
  ["/t/u/", "mail"],
  ["/t/preferences/", "mail"],
  ["/preferences/", "mail"],
  ["/view/", "mail"],
  ["/t/confirm/", "confirm"],
  ["/confirm/", "confirm"],
  ["/t/request/", "request"],
  ["/request/", "request"],
  ["/f/confirm/", "signUp"],
  ["/f/", "form"],
];

/** Whether a path may be answered under a project's host. A path that names nothing there says so itself. */
async function isOf(db: Database, path: string, projectId: string): Promise<boolean> {
  if (path.startsWith("/t/c/")) return true;
  const pixel = /^\/t\/o\/([^/]+)\.gif$/.exec(path)?.[1];
  if (pixel !== undefined) return isPixelOf(db, pixel, projectId);
  const [prefix, kind] = named.find(([start]) => path.startsWith(start)) ?? [];
  if (prefix === undefined || kind === undefined) return false;
  const [name = ""] = path.slice(prefix.length).split("/", 1);
  const owner = await linkOwners[kind](db, name);
  return owner === null || owner === projectId;
}

/**
 * Under the host of a project's domain, whatever is not that project's is an unknown link. Also answers what
 * the check of a new host asks for.
 */
export function guardHost(db: () => Database): MiddlewareHandler<Env> {
  return async (c: Context<Env>, next) => {
    const projectId = (c.env as Env["Bindings"] | undefined)?.hostProjectId;
    if (projectId === undefined) return next();
    if (c.req.path === hostProofPath) {
      return c.text(hostProof(projectId), 200, { "cache-control": "no-store" });
    }
    if (await isOf(db(), c.req.path, projectId)) return next();
    setPrivate(c);
    return unknownLink(c);
  };
}
