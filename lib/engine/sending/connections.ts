import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { sendingConnections } from "@/db/schema";
import { completeSettings } from "@/lib/domain/connections/settings";
import { log } from "@/lib/ground/log";
import { announce } from "@/lib/ground/queue/announce";
import { endConnectionHold } from "@/lib/ground/queue/connection-holds";
import type { LaneKind } from "./lanes";
import {
  claimProbes,
  holdConnection,
  noteThrottling,
  tellOfHold,
  type Refusal,
} from "./connection-holds";
import { ConnectionSender, type LoadedConnection } from "./connection-sender";

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
  name: string;
  kind: LoadedConnection["kind"];
  settings: LoadedConnection["settings"];
  secret_sealed: string;
  fallback_id: string | null;
  held: boolean;
  updated_at: string;
}

/**
 * The projects' sending connections that this worker has used. Each has sessions, a pace and
 * a limit of its own, so that one project's broken server holds up nobody else's mail. With their next beat all
 * workers know which are held; one worker at a time tries those again.
 */
export class Connections {
  readonly #db: Database;
  readonly #senders = new Map<string, ConnectionSender>();
  /** Which connection each lane has had to wait for, by the uuid of its campaign or project. */
  readonly #lanes = new Map<string, string>();
  /** Connections whose throttling was recorded. */
  readonly #told = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  #closed = false;

  readonly #onRoom: () => void;

  /** `onRoom` is called when a connection that had no room has some again. */
  constructor(db: Database, onRoom: () => void) {
    this.#db = db;
    this.#onRoom = onRoom;
  }

  /**
   * The sender for the connection's mail, or the one that it has to wait for, of two the one that is not held: nobody
   * knows when a hold ends. null when the connection is gone and the installation's transport takes it.
   */
  async senderFor(id: string): Promise<ConnectionSender | null> {
    const sender = this.#senders.get(id) ?? (await this.#load(id));
    if (!sender || sender.works || sender.row.fallbackId === null) return sender;
    const { fallbackId } = sender.row;
    const fallback = this.#senders.get(fallbackId) ?? (await this.#load(fallbackId));
    const isBetter = fallback?.works === true || (sender.held && fallback?.held === false);
    return isBetter ? fallback : sender;
  }

  /** Leaves a lane's mail in the queue while its connection has no room. */
  noteLane(lane: string, connectionId: string): void {
    this.#lanes.set(lane, connectionId);
  }

  /**
   * Whether a lane's mail would find no room. A project's mail outside campaigns may use several connections: it waits
   * only for a busy one, never for a broken one.
   */
  blocks(kind: LaneKind, lane: string): boolean {
    const id = this.#lanes.get(lane);
    if (id === undefined) return false;
    const sender = this.#senders.get(id);
    const fallback = this.#senders.get(sender?.row.fallbackId ?? "");
    const takes = sender && !sender.works && fallback?.works ? fallback : sender;
    const blocked = takes !== undefined && !takes.hasRoom && (kind === "campaigns" || takes.works);
    if (!blocked) this.#lanes.delete(lane);
    return blocked;
  }

  /** Reads what has changed, records throttling, and tries held connections that are due. */
  async refresh(): Promise<void> {
    if (this.#senders.size > 0) await this.#look();
    await this.#tellThrottlings();
    for (const id of await claimProbes(this.#db)) this.#follow(this.#probe(id));
  }

  async #look(): Promise<void> {
    const rows = await executePrepared<{ id: string; held: boolean; updated_at: string }>(
      this.#db,
      sql`select ${sendingConnections.id}, ${sendingConnections.heldSince} is not null as held,
        ${sendingConnections.updatedAt}::text as updated_at
      from ${sendingConnections}
      where ${sendingConnections.id} = any(${sql.param([...this.#senders.keys()])}::uuid[])`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [id, sender] of this.#senders) {
      const row = byId.get(id);
      if (row?.updated_at === sender.row.updatedAt) sender.held = row.held;
      else this.#forget(id, sender);
    }
  }

  /** Turns away whatever waits for a session. Resolves when the owners have been told and no connection is being tried. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const sender of this.#senders.values()) sender.close();
    await Promise.all(this.#underWay);
  }

  #follow(work: Promise<void>): void {
    const following = work.catch((error: unknown) => {
      log.error({ code: errorCode(error) }, "A sending connection could not be looked after.");
    });
    this.#underWay.add(following);
    void following.finally(() => this.#underWay.delete(following));
  }

  #forget(id: string, sender: ConnectionSender): void {
    this.#senders.delete(id);
    this.#told.delete(id);
    sender.close();
  }

  async #load(id: string): Promise<ConnectionSender | null> {
    const [row] = await executePrepared<Row>(
      this.#db,
      sql`select ${sendingConnections.id}, ${sendingConnections.projectId}, ${sendingConnections.name},
        ${sendingConnections.kind}, ${sendingConnections.settings}, ${sendingConnections.secretSealed},
        ${sendingConnections.fallbackId}, ${sendingConnections.heldSince} is not null as held,
        ${sendingConnections.updatedAt}::text as updated_at
      from ${sendingConnections} where ${sendingConnections.id} = ${id}`,
    );
    // Another email may have made it meanwhile: there is one pool of sessions.
    const existing = this.#senders.get(id);
    if (existing || !row) return existing ?? null;
    const sender = new ConnectionSender(
      {
        id: row.id,
        projectId: row.project_id,
        name: row.name,
        kind: row.kind,
        settings: row.settings,
        secretSealed: row.secret_sealed,
        fallbackId: row.fallback_id,
        sessions: completeSettings(row.kind, row.settings).sessions,
        held: row.held,
        updatedAt: row.updated_at,
      },
      { onFault: (of, refusal) => this.#hold(of, refusal), onRoom: this.#onRoom },
    );
    this.#senders.set(id, sender);
    return sender;
  }

  /** Many emails find out at the same moment: only the first one holds the connection. */
  async #hold(sender: ConnectionSender, refusal: Refusal): Promise<void> {
    if (sender.held || this.#closed) return;
    sender.held = true;
    const { id } = sender.row;
    log.warn({ connectionId: id, ...refusal }, "A sending connection is held; its mail waits.");
    await holdConnection(this.#db, sender.row, refusal);
    this.#follow(tellOfHold(this.#db, id));
  }

  async #probe(id: string): Promise<void> {
    const sender = this.#senders.get(id) ?? (await this.#load(id));
    if (!sender) return;
    const { ok, words, loginRefused } = await sender.transport.probe();
    if (!ok) {
      const fault = loginRefused ? "refused" : "unreachable";
      await holdConnection(this.#db, sender.row, { fault, words });
      await tellOfHold(this.#db, id);
      return;
    }
    await this.#db.transaction((tx) => endConnectionHold(tx, sender.row));
    sender.held = false;
    log.info({ connectionId: id }, "A sending connection works again.");
    announce(this.#db, "emails_due");
  }

  async #tellThrottlings(): Promise<void> {
    for (const [id, { throttle }] of this.#senders) {
      const { state } = throttle;
      if (state) {
        this.#told.add(id);
        const since = new Date(state.since).toISOString();
        const toldAt = new Date().toISOString();
        await noteThrottling(this.#db, id, { words: state.words, rate: state.rate, since, toldAt });
      } else if (this.#told.delete(id)) {
        await noteThrottling(this.#db, id, null);
      }
    }
  }
}
