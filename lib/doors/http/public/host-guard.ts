import type { Context, MiddlewareHandler } from "hono";
import type { Database } from "@/db/client";
import { isPixelOf, linkOwners } from "@/lib/domain/opt-outs/link-owner";
import { hostProof } from "@/lib/domain/sending-domains/tracking-hosts";
import { projectsAway } from "@/lib/domain/projects/moves";
import { projectIsMoving } from "@/lib/ground/unforeseen-errors";
import { hostProofPath } from "@/lib/mail/tracking/urls";
import { answerError, setPrivate, unknownLink, type Env } from "./recipient-form";

type Named = readonly (readonly [prefix: string, kind: keyof typeof linkOwners])[];

/** The paths of pages and what is named behind them. */
const named: Named = [
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
  ["/t/c/", "click"],
];
/** Those that are reached under the product's own host alone. */
const ownNamed: Named = [
  ["/t/a/", "file"],
  ["/report/", "report"],
];
const pixelPath = /^\/t\/o\/([^/]+)\.gif$/;

/** Whose the page, pixel or link at a path is (uuid of the project); null for a path that names nothing there is. */
async function ownerOf(db: Database, path: string): Promise<string | null> {
  const pixel = pixelPath.exec(path)?.[1];
  if (pixel !== undefined) return linkOwners.pixel(db, pixel);
  const [prefix, kind] = [...named, ...ownNamed].find(([start]) => path.startsWith(start)) ?? [];
  if (prefix === undefined || kind === undefined) return null;
  const [name = ""] = path.slice(prefix.length).split("/", 1);
  return linkOwners[kind](db, name);
}

/** Whether a path may be answered under a project's host. A path that names nothing there says so itself. */
async function isOf(db: Database, path: string, projectId: string): Promise<boolean> {
  // A click's link itself says whose it is.
  if (path.startsWith("/t/c/")) return true;
  const pixel = pixelPath.exec(path)?.[1];
  if (pixel !== undefined) return isPixelOf(db, pixel, projectId);
  if (!named.some(([start]) => path.startsWith(start))) return false;
  const owner = await ownerOf(db, path);
  return owner === null || owner === projectId;
}

/**
 * Sends whoever comes with a link of a project that has moved to another database there; while one is being closed,
 * they are asked to come again. Costs nothing while no project is away.
 */
export function leadAway(db: () => Database): MiddlewareHandler<Env> {
  return async (c: Context<Env>, next) => {
    const away = await projectsAway(db());
    if (away.size === 0) return next();
    // A database that does not answer is for the page to say.
    const owner = await ownerOf(db(), c.req.path).catch(() => null);
    const place = owner === null ? undefined : away.get(owner);
    if (!place) return next();
    if (place.url === null) return answerError(projectIsMoving(), c);
    setPrivate(c);
    return c.redirect(place.url + c.req.path + new URL(c.req.url).search, 307);
  };
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
