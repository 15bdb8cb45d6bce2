import { createBearerApp } from "./v1/app";
import { isBearerPath, sessionProject } from "./v1/paths";
import { createCronApp } from "./cron";
import { bearerOperations } from "./v1/operations";
import { createFilesApp } from "./public/files";
import { createPlatformApp } from "./platform/app";
import { isPlatformPath } from "./platform/paths";
import { createResendApp } from "./resend/app";
import { isResendPath } from "./resend/paths";
import { createTrackingApp } from "./public/app";
import { isHostPath, isTrackingPath } from "./public/paths";
import { createMcpApp } from "@/lib/doors/http/mcp/app";
import { createOAuthApp, isOAuthPath } from "@/lib/doors/http/oauth/app";
import type { NodeBindings } from "./surface/client-address";
import { hostIn, siteOf } from "./surface/site";

interface Mount {
  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response>;
}

interface Mounts {
  bearer: Mount;
  dashboard: Mount;
  cron: Mount;
  files: Mount;
  tracking: Mount;
  platform: Mount;
  resend: Mount;
  mcp: Mount;
  oauth: Mount;
}

// Next instantiates modules more than once; one set of apps per process is enough.
const holder = globalThis as { lettermillMounts?: Mounts };

function mounts(): Mounts {
  return (holder.lettermillMounts ??= {
    bearer: createBearerApp("key"),
    dashboard: createBearerApp("session"),
    cron: createCronApp(),
    files: createFilesApp(),
    tracking: createTrackingApp(),
    platform: createPlatformApp(),
    resend: createResendApp(),
    mcp: createMcpApp(),
    oauth: createOAuthApp(),
  });
}

/** The HTTP surface that answers a path; null: the path is a page, which Next serves. */
export function mountFor(pathname: string): Mount | null {
  if (isBearerPath(pathname)) return mounts().bearer;
  if (sessionProject(pathname)) return mounts().dashboard;
  if (isPlatformPath(pathname)) return mounts().platform;
  if (isResendPath(pathname)) return mounts().resend;
  if (isTrackingPath(pathname)) return mounts().tracking;
  if (pathname === "/mcp") return mounts().mcp;
  if (isOAuthPath(pathname)) return mounts().oauth;
  if (pathname.startsWith("/files/")) return mounts().files;
  if (pathname.startsWith("/api/cron/")) return mounts().cron;
  return null;
}

/** The bearer surface's paths that take a file as it comes; without /v1, which may be left out. */
const uploadPaths = bearerOperations
  .filter((operation) => "upload" in operation)
  .map(({ path }) => path.replace(/^\/v1/, ""));

/** Whether a body to this path may take its time: files are read as they come, and bounded there. */
export function takesUpload(pathname: string): boolean {
  const path = pathname.replace(/\/$/, "");
  return uploadPaths.some((upload) => path.endsWith(upload));
}

/** For Next's route handlers, which answer the surfaces' paths where bin/web.ts does not run in front. */
export async function handleRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const site = await siteOf([hostIn(request.headers.get("host") ?? "")]);
  const isOfProject = typeof site === "object";
  const mount = isOfProject && !isHostPath(pathname) ? null : mountFor(pathname);
  if (!mount) return new Response(null, { status: 404 });
  return mount.fetch(request, isOfProject ? { hostProjectId: site.projectId } : undefined);
}
