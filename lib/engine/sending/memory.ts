import { ByteBudget, type HeldBytes } from "@/lib/ground/byte-budget";

/** Emails being built, handed over or recorded, over all dispatchers of a process. */
const budget = new ByteBudget({
  capacity: 192_000_000,
  smallCapacity: 48_000_000,
  largestSmall: 1_000_000,
});

/** How much of the process's memory one email holds, from its making until its result is recorded. */
export class EmailMemory {
  readonly #projectId: string;
  #held: HeldBytes | null = null;
  #released = false;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Resolves when it is the project's turn and there is room. */
  async hold(bytes: number): Promise<void> {
    this.#held = await budget.take(this.#projectId, bytes);
    // Its turn may come when nobody is waiting for it any longer.
    if (this.#released) this.#held?.release();
  }

  release(): void {
    this.#released = true;
    this.#held?.release();
  }
}
