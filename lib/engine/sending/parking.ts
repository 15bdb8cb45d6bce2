/** How many emails one project, and all projects together, may have parked. */
const mostOfProject = 64;
const mostParked = 256;
/** Work that takes longer than this gives up its slot; only rendering on a thread does. */
const parkedAfterMilliseconds = 100;

/** The dispatcher is stopping: what is still waiting must not be started. */
export class Stopped extends Error {}

/**
 * Emails that wait for a thread to render them: they give their slot among those under way to other mail. A project
 * that has many of them has to wait with the rest.
 */
export class Parking {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Set<(error: Stopped) => void>();
  #parked = 0;
  #stopped = false;

  /** Whether nothing more may be started, wherever it waits. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Ends all waiting with Stopped. */
  stop(): void {
    this.#stopped = true;
    for (const reject of this.#waiting) reject(new Stopped());
  }

  /** Whether the project's mail has to wait. */
  isFull(projectId: string): boolean {
    return (this.#counts.get(projectId) ?? 0) >= mostOfProject || this.#parked >= mostParked;
  }

  /** Runs the work; `leave` is called if it takes long, and `enter` when it then ends. */
  async watch<Result>(
    projectId: string,
    work: Promise<Result>,
    { leave, enter }: { leave: () => void; enter: () => void },
  ): Promise<Result> {
    let parked = false;
    const timer = setTimeout(() => {
      parked = true;
      this.#count(projectId, 1);
      leave();
    }, parkedAfterMilliseconds);
    let end = (_: Stopped) => {};
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.add((end = reject));
        work.then(resolve, reject);
      });
    } finally {
      this.#waiting.delete(end);
      clearTimeout(timer);
      if (parked) {
        this.#count(projectId, -1);
        enter();
      }
    }
  }

  #count(projectId: string, step: 1 | -1): void {
    this.#parked += step;
    const count = (this.#counts.get(projectId) ?? 0) + step;
    if (count === 0) this.#counts.delete(projectId);
    else this.#counts.set(projectId, count);
  }
}
