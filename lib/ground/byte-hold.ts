import type { ByteBudget, HeldBytes } from "./byte-budget";

/** What one piece of work holds of a budget, in steps, since its size shows only while it is done. */
export class ByteHold {
  readonly #budget: ByteBudget;
  readonly #lane: string;
  #held: HeldBytes[] = [];
  #bytes = 0;
  #released = false;

  constructor(budget: ByteBudget, lane: string) {
    this.#budget = budget;
    this.#lane = lane;
  }

  /** Resolves when it is the lane's turn and there is room for so many bytes; gives back first what it holds. */
  async hold(bytes: number): Promise<void> {
    this.#giveBack();
    this.#keep(await this.#budget.take(this.#lane, bytes), bytes);
  }

  /** Holds so many bytes in all if there is room for what is missing; false: not now. */
  tryHold(bytes: number): boolean {
    const missing = bytes - this.#bytes;
    if (missing <= 0) return true;
    const more = this.#budget.tryTake(this.#lane, missing);
    if (more) this.#keep(more, missing);
    return more !== null;
  }

  /** Gives back all of it, and whatever is still waited for once it comes. */
  release(): void {
    this.#released = true;
    this.#giveBack();
  }

  #keep(held: HeldBytes | null, bytes: number): void {
    if (held) this.#held.push(held);
    this.#bytes += bytes;
    if (this.#released) this.#giveBack();
  }

  #giveBack(): void {
    for (const held of this.#held.splice(0)) held.release();
    this.#bytes = 0;
  }
}
