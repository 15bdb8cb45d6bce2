import { campaignShare } from "@/lib/mail/campaign-share";
import type { HandOver } from "@/lib/mail/transport";

type Lane = HandOver["lane"];

/** Requests at once: campaigns leave some of them to all other mail, which comes first. */
export class RequestSlots {
  readonly #most: number;
  readonly #mostOfCampaigns: number;
  readonly #waiting: Record<Lane, ((slot: Slot | null) => void)[]> = {
    transactional: [],
    campaign: [],
  };
  #busy = 0;
  #campaigns = 0;
  #pause: NodeJS.Timeout | null = null;
  #closed = false;
  /** Called once nothing is under way any longer. */
  readonly #onEnd: () => void;

  constructor(most: number, onEnd: () => void) {
    this.#most = most;
    this.#mostOfCampaigns = campaignShare(most);
    this.#onEnd = onEnd;
  }

  /** null: it is closed. */
  take(lane: Lane): Promise<Slot | null> {
    if (this.#closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting[lane].push(resolve);
      this.#serve();
    });
  }

  /** Nothing more starts for a while. */
  rest(milliseconds: number): void {
    if (this.#closed || this.#pause) return;
    this.#pause = setTimeout(() => {
      this.#pause = null;
      this.#serve();
    }, milliseconds);
  }

  /** Turns away what waits. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#pause) clearTimeout(this.#pause);
    for (const waiting of Object.values(this.#waiting)) {
      for (const resolve of waiting.splice(0)) resolve(null);
    }
    if (this.#busy === 0) this.#onEnd();
  }

  #serve(): void {
    while (this.#pause === null && this.#busy < this.#most) {
      const campaignRoom = this.#campaigns < this.#mostOfCampaigns;
      const lane: Lane = this.#waiting.transactional.length > 0 ? "transactional" : "campaign";
      const next = lane === "campaign" && !campaignRoom ? undefined : this.#waiting[lane].shift();
      if (!next) return;
      this.#busy++;
      if (lane === "campaign") this.#campaigns++;
      next({ end: () => this.#end(lane) });
    }
  }

  #end(lane: Lane): void {
    this.#busy--;
    if (lane === "campaign") this.#campaigns--;
    if (this.#closed && this.#busy === 0) this.#onEnd();
    else this.#serve();
  }
}

/** Room for one request; call `end` once, when it is answered. */
interface Slot {
  end: () => void;
}
