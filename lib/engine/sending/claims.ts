import type { Database } from "@/db/client";
import type { MailServerTrouble } from "@/db/schema";
import { log } from "@/lib/ground/log";
import { Heartbeat } from "@/lib/ground/queue/heartbeat";
import { answerWithin } from "@/lib/ground/queue/answer-within";
import { claimEmails, claimSuspect, type ClaimedEmail, type ClaimOptions } from "./claim";
import type { Connections } from "./connections";
import type { Outage } from "./outage";
import { endHopeless } from "./suspects";
import { projectsWithoutMail } from "@/lib/domain/projects/moves";
import { findHold } from "@/lib/domain/sending-state/hold";
import type { Transport } from "@/lib/mail/transport";
import { within, type Part } from "./part";
import type { PausedSenders } from "./paused-senders";
import type { Receivers } from "./receivers";
import type { Throttle } from "./throttle";
import { Witness } from "./witness";
import { WorkerRow } from "./worker-row";

/** When a claim neither returns nor fails, the pool is broken and only a new process helps. */
const longestClaimMilliseconds = 60_000;
/**
 * A worker that has not seen the database for a whole lease takes nothing over, since the holder may be cut off as
 * well. A short run never sees it for that long, and takes over mail that was left alone for a minute and a half.
 */
const abandonedSeconds = { always: 1e9, shortRun: 90 };

/** Mail as it was claimed at `claimedAt`, of performance.now(). */
export interface Claim {
  emails: ClaimedEmail[];
  refused: number;
  claimedAt: number;
}

/** The database has not answered a claim within a minute. */
export class DatabaseSilent extends Error {}

function troubleOf(throttle: Throttle, transport: Transport | null): MailServerTrouble | null {
  const unavailable = transport?.trouble ?? null;
  const { state } = throttle;
  if (unavailable) {
    const { words, since } = unavailable;
    return { state: "unavailable", words, rate: 0, since: new Date(since).toISOString() };
  }
  return state && { ...state, state: "throttled", since: new Date(state.since).toISOString() };
}

/** Claims mail for one dispatcher, and dead workers' mail once it is certain that they are dead. */
export class Claims {
  readonly #db: Database;
  readonly #leaseSeconds: number;
  readonly #connections: Connections;
  readonly #outage: Outage;
  readonly #part: Part;
  readonly #row: WorkerRow;
  readonly #heartbeat: Heartbeat;
  /** Whether mail is on hold, and the projects whose mail goes out nevertheless. */
  #hold: { released: string[] } | null = null;
  /** Projects that are about to leave for another database: uuids. */
  #leaving: string[] = [];
  #shortRun = false;

  /** `witnessFile`: kept beside the data; a restored database is recognised by it. */
  constructor(
    db: Database,
    {
      leaseSeconds,
      transport,
      throttle,
      receivers,
      senders,
      connections,
      outage,
      part,
      witnessFile,
    }: {
      leaseSeconds: number;
      transport: Transport | null;
      throttle: Throttle;
      receivers: Receivers;
      senders: PausedSenders;
      connections: Connections;
      outage: Outage;
      part: Part;
      witnessFile?: string;
    },
  ) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
    this.#connections = connections;
    this.#outage = outage;
    this.#part = part;
    this.#row = new WorkerRow(db);
    const witness = witnessFile === undefined ? null : new Witness(db, witnessFile);
    this.#heartbeat = new Heartbeat(async () => {
      await witness?.beat();
      await this.#row.write(troubleOf(throttle, transport), receivers.slow());
      await senders.refresh();
      await connections.refresh();
      this.#leaving = await projectsWithoutMail(db);
      const hold = await findHold(db);
      if (hold && !this.#hold)
        log.warn({ ...hold }, "Mail is held: `lettermill mail go-on` ends that.");
      this.#hold = hold;
    });
  }

  /** Reports from now on that this worker is alive, until the returned function is called. */
  keep({ shortRun }: { shortRun: boolean }): () => void {
    this.#shortRun = shortRun;
    const end = this.#heartbeat.keep();
    return () => {
      end();
      this.#row.remove();
    };
  }

  /**
   * Claims due mail, only of the projects `among` (uuids; null: of all); `leftRoom` as in claimEmails. Throws
   * DatabaseSilent.
   */
  async due(
    options: Pick<ClaimOptions, "limit" | "campaigns" | "keptForCampaigns">,
    among: readonly string[] | null,
  ): Promise<Claim & { leftRoom: boolean }> {
    const claimedAt = performance.now();
    if (among?.length === 0 || !(await this.#mayClaim())) {
      return { emails: [], refused: 0, claimedAt, leftRoom: true };
    }
    const { part, ...terms } = this.#terms;
    const answer = await answerWithin(
      longestClaimMilliseconds,
      claimEmails(this.#db, {
        ...options,
        ...terms,
        part: among === null ? part : within(part, among, []),
        blocked: (kind, lane) => this.#connections.blocks(kind, lane) || this.#outage.blocks(lane),
      }),
    );
    if (answer === null) throw new DatabaseSilent("The database does not answer.");
    return { ...answer, claimedAt };
  }

  /**
   * Ends mail that too many workers have died with; resolves to whether there is mail that two workers have died
   * with.
   */
  async hasSuspects(): Promise<boolean> {
    return (await this.#mayClaim()) && endHopeless(this.#db, this.#terms);
  }

  /** One of those; null: none is left. */
  async suspect(): Promise<Claim | null> {
    const claimedAt = performance.now();
    const answer = await claimSuspect(this.#db, this.#terms);
    return answer.emails.length + answer.refused === 0 ? null : { ...answer, claimedAt };
  }

  /** A database that has just come back may be a different one: it is checked before anything is claimed. */
  async #mayClaim(): Promise<boolean> {
    if (!this.#heartbeat.beating) await this.#heartbeat.beat();
    return this.#heartbeat.beating && this.#hold?.released.length !== 0;
  }

  get #terms(): { leaseSeconds: number; expiredSeconds: number; part: Part } {
    const sure = this.#heartbeat.seconds >= this.#leaseSeconds;
    const unsure = this.#shortRun ? abandonedSeconds.shortRun : abandonedSeconds.always;
    return {
      leaseSeconds: this.#leaseSeconds,
      expiredSeconds: sure ? 0 : unsure,
      part: within(this.#part, this.#hold?.released ?? null, this.#leaving),
    };
  }
}
