/** Bounds what is held in memory at once. What alone is larger passes when nothing else is held. */
export class Budget {
  readonly #capacity: number;
  #held = 0;
  #queue: { amount: number; go: () => void }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  async take(amount: number): Promise<void> {
    if (this.#queue.length === 0 && this.#fits(amount)) this.#held += amount;
    else await new Promise<void>((go) => this.#queue.push({ amount, go }));
  }

  give(amount: number): void {
    this.#held -= amount;
    for (let first = this.#queue[0]; first && this.#fits(first.amount); first = this.#queue[0]) {
      this.#queue.shift();
      this.#held += first.amount;
      first.go();
    }
  }

  #fits(amount: number): boolean {
    return this.#held === 0 || this.#held + amount <= this.#capacity;
  }
}
