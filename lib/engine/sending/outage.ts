import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { sendingConnections } from "@/db/schema";
import type { Transport } from "@/lib/mail/transport";

/** How often the projects with servers of their own are read while the installation's is away. */
const readMilliseconds = 1_000;
/** How long mail outside campaigns sleeps that such a project sends through the installation's server. */
export const outageSeconds = 15;

/**
 * The time in which the installation's transport takes nothing. Mail of projects that have sending connections goes
 * on: what of it leaves through the installation's transport after all is put off, campaigns by their lanes.
 */
export class Outage {
  readonly #db: Database;
  readonly #transport: Transport | null;
  readonly #onEnd: () => void;
  #waiting: Promise<void> | null = null;
  #projects: string[] = [];
  /** By performance.now(). */
  #readAt = -Infinity;
  /** Campaigns that leave through the installation's transport: uuids. */
  readonly #campaigns = new Set<string>();

  /** `onEnd` is called when the transport takes mail again. */
  constructor(db: Database, transport: Transport | null, onEnd: () => void) {
    this.#db = db;
    this.#transport = transport;
    this.#onEnd = onEnd;
  }

  get #lasts(): boolean {
    return this.#transport !== null && !this.#transport.available;
  }

  /** The projects (uuids) whose mail is claimed meanwhile; null: there is no outage. */
  async projects(signal: AbortSignal): Promise<readonly string[] | null> {
    if (!this.#lasts) return null;
    void this.ended(signal);
    const now = performance.now();
    if (now - this.#readAt >= readMilliseconds) {
      const rows = await executePrepared<{ id: string }>(
        this.#db,
        sql`select distinct ${sendingConnections.projectId} as id from ${sendingConnections}`,
      );
      this.#projects = rows.map(({ id }) => id);
      this.#readAt = now;
    }
    return this.#projects;
  }

  /** Resolves when the transport takes mail again, or the signal aborts. */
  ended(signal: AbortSignal): Promise<void> {
    return (this.#waiting ??= (this.#transport?.ready(signal) ?? Promise.resolve()).finally(() => {
      this.#waiting = null;
      this.#campaigns.clear();
      this.#projects = [];
      this.#readAt = -Infinity;
      this.#onEnd();
    }));
  }

  /** Whether mail of the project was claimed although the transport takes nothing. */
  isPassedBy(projectId: string): boolean {
    return this.#lasts && this.#projects.includes(projectId);
  }

  /** Leaves the campaign's mail in the queue. */
  noteCampaign(id: string): void {
    this.#campaigns.add(id);
  }

  /** Whether a lane's mail could not leave now. */
  blocks(lane: string): boolean {
    return this.#campaigns.has(lane);
  }
}
