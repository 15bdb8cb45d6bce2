import type { Database } from "@/db/client";
import { Heartbeat } from "@/lib/ground/queue/heartbeat";
import { answerWithin } from "@/lib/ground/queue/answer-within";
import { claimEmails, claimSuspect, type ClaimedEmail, type ClaimOptions } from "./claim";
import { endHopeless } from "./suspects";
import { WorkerRow } from "./worker-row";

/** A claim that neither comes back nor fails: the pool is broken, and only a new process helps. */
const longestClaimMilliseconds = 60_000;
/**
 * Who has not seen the database for a whole lease takes nothing over: its holder may be cut off as well.
 * A short run never sees it for so long, and takes over what was left alone for a minute and a half.
 */
const abandonedSeconds = { always: 1e9, shortRun: 90 };

/** Mail as it was claimed at `claimedAt`, of performance.now(). */
export interface Claim {
  emails: ClaimedEmail[];
  refused: number;
  claimedAt: number;
}

/** The database has not answered a claim for a minute. */
export class DatabaseSilent extends Error {}

/** Claims mail for one dispatcher, and that of dead workers once it is sure of their death. */
export class Claims {
  readonly #db: Database;
  readonly #leaseSeconds: number;
  readonly #row: WorkerRow;
  readonly #heartbeat: Heartbeat;
  #shortRun = false;

  constructor(db: Database, leaseSeconds: number) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
    this.#row = new WorkerRow(db);
    this.#heartbeat = new Heartbeat(() => this.#row.write());
  }

  /** Says from now on that this worker lives; the function that is returned ends it. */
  keep({ shortRun }: { shortRun: boolean }): () => void {
    this.#shortRun = shortRun;
    const end = this.#heartbeat.keep();
    return () => {
      end();
      this.#row.remove();
    };
  }

  /** What is due; `leftRoom` as for claimEmails. Throws DatabaseSilent. */
  async due(
    options: Pick<ClaimOptions, "limit" | "campaigns" | "keptForCampaigns">,
  ): Promise<Claim & { leftRoom: boolean }> {
    const claimedAt = performance.now();
    const answer = await answerWithin(
      longestClaimMilliseconds,
      claimEmails(this.#db, { ...options, ...this.#terms }),
    );
    if (answer === null) throw new DatabaseSilent("The database does not answer.");
    return { ...answer, claimedAt };
  }

  /** Ends what too many workers died with; whether there is mail that two have died with. */
  async hasSuspects(): Promise<boolean> {
    return endHopeless(this.#db, this.#terms.expiredSeconds);
  }

  /** One of them; null: none is left. */
  async suspect(): Promise<Claim | null> {
    const claimedAt = performance.now();
    const answer = await claimSuspect(this.#db, this.#terms);
    return answer.emails.length + answer.refused === 0 ? null : { ...answer, claimedAt };
  }

  get #terms(): { leaseSeconds: number; expiredSeconds: number } {
    const sure = this.#heartbeat.seconds >= this.#leaseSeconds;
    const unsure = this.#shortRun ? abandonedSeconds.shortRun : abandonedSeconds.always;
    return { leaseSeconds: this.#leaseSeconds, expiredSeconds: sure ? 0 : unsure };
  }
}
