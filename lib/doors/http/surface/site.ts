import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { database } from "@/db/client";
import { findHostProjects } from "@/lib/domain/sending-domains/tracking-hosts";
import { coalesce } from "@/lib/ground/coalesce";
import { env } from "@/lib/ground/env/env";

/**
 * What a request's host stands for: `app`, everything; a project (uuid), whose pages for recipients are reached
 * under it, and nothing else; `unknown`, nothing.
 */
export type Site = "app" | "unknown" | { projectId: string };

/** Host names kept in memory; strangers can ask for any number of them. */
const mostHosts = 5_000;
const knownMilliseconds = 30_000;
const unknownMilliseconds = 5_000;

const kept = new LRUCache<string, { projectId: string | null; freshUntil: number }>({
  max: mostHosts,
});

/** One statement at a time, however many hosts are asked for. */
const find = coalesce((hosts: string[]) => findHostProjects(database(), hosts), { concurrency: 1 });

/** The project that a host (A-label, lower case) leads to; null: none. `fresh`: bypasses what is kept. */
export async function projectOfHost(host: string, { fresh = false } = {}): Promise<string | null> {
  if (!/^[a-z0-9.-]{1,253}$/.test(host)) return null;
  const now = performance.now();
  const known = kept.get(host);
  if (known && !fresh && known.freshUntil > now) return known.projectId;
  try {
    const projectId = await find(host);
    const milliseconds = projectId === null ? unknownMilliseconds : knownMilliseconds;
    kept.set(host, { projectId, freshUntil: now + milliseconds });
    return projectId;
  } catch (error) {
    // Links to hosts that are remembered go on working while the database is away.
    if (known?.projectId) return known.projectId;
    throw error;
  }
}

/** The host of a Host header: lower case, without port and trailing dot. */
export function hostIn(header: string): string {
  return header.trim().toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

/** Endings that no public name has: what programs within a network call each other. */
const inner = ["localhost", "local", "internal", "lan", "intranet", "home.arpa", "svc"];

/** Whether a name is APP_URL's, one of APP_HOSTS, or one that no stranger could point here. */
export function isAppHost(host: string): boolean {
  const { APP_URL, APP_HOSTS } = env();
  if (host === new URL(APP_URL).hostname || APP_HOSTS.includes(host)) return true;
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0 || !host.includes(".")) return true;
  return inner.some((ending) => host.endsWith(`.${ending}`));
}

/** `hosts`: those that the request names, the one that counts most first. */
export async function siteOf(
  hosts: readonly string[],
  options?: { fresh?: boolean },
): Promise<Site> {
  for (const host of hosts) {
    if (isAppHost(host)) return "app";
    const projectId = await projectOfHost(host, options);
    if (projectId !== null) return { projectId };
  }
  return hosts.length === 0 ? "app" : "unknown";
}
