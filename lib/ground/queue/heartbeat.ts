import { errorCode } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { answerWithin } from "./answer-within";

const everyMilliseconds = 1_500;
/** Two beats further apart than this may have had an outage between them. */
const longestGapMilliseconds = 4_000;

/**
 * Writes to the database all the time, and knows since when that has gone well without a gap. A process that
 * has just come back must not take over what others hold: they were cut off as well, and are coming back too.
 */
export class Heartbeat {
  readonly #beat: () => Promise<void>;
  #underWay: Promise<void> | null = null;
  /** Both by performance.now(); null: the last beat failed, or there was none. */
  #unbroken: { since: number; until: number } | null = null;

  /** `beat` resolves when the database has taken a write. */
  constructor(beat: () => Promise<void>) {
    this.#beat = beat;
  }

  /** Whether the last beat went well, and not long ago. */
  get beating(): boolean {
    const until = this.#unbroken?.until ?? -Infinity;
    return performance.now() - until <= longestGapMilliseconds;
  }

  /** For how many seconds the database has taken writes without a gap. */
  get seconds(): number {
    if (!this.#unbroken || !this.beating) return 0;
    return (this.#unbroken.until - this.#unbroken.since) / 1000;
  }

  /** Beats from now on; the function that is returned ends it. */
  keep(): () => void {
    let timer: NodeJS.Timeout;
    let ended = false;
    const turn = () => {
      void this.beat().then(() => {
        if (!ended) timer = setTimeout(turn, everyMilliseconds);
      });
    };
    turn();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  /** One beat, or the one under way; never throws. */
  beat(): Promise<void> {
    return (this.#underWay ??= this.#beatOnce().finally(() => {
      this.#underWay = null;
    }));
  }

  async #beatOnce(): Promise<void> {
    const started = performance.now();
    try {
      const answer = this.#beat().then(() => true);
      if (!(await answerWithin(longestGapMilliseconds, answer))) {
        throw new Error("The database does not answer.");
      }
      if (!this.#unbroken || started - this.#unbroken.until > longestGapMilliseconds) {
        this.#unbroken = { since: started, until: started };
      } else this.#unbroken.until = started;
    } catch (error) {
      this.#unbroken = null;
      log.warn({ code: errorCode(error) }, "The database could not be written to.");
    }
  }
}
