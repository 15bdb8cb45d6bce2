/** Lets a loop sleep until there is work: a call to `notify` is never lost, even while it works. */
export class Wake {
  #due = false;
  #resolve: (() => void) | null = null;

  notify(): void {
    this.#due = true;
    this.#resolve?.();
  }

  /** Resolves after `notify`, `milliseconds`, or the signal's abort; whichever comes first. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#due && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          this.#resolve = null;
          resolve();
        };
        const timer = setTimeout(done, milliseconds);
        signal.addEventListener("abort", done);
        this.#resolve = done;
      });
    }
    this.#due = false;
  }
}
