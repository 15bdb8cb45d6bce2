import { changedFields, changedPart } from "./changed";
import type { KeptWriting } from "./local-draft";

/** Where a writer's draft of a thing is kept; versions are the server's `updatedAt`. */
export interface DraftServer<Draft extends object> {
  /** Keeps these fields in place of `basedOn` (null: of nothing); answers the new version. */
  keep: (changes: Partial<Draft>, fromVersion: number, basedOn: string | null) => Promise<string>;
  forget: (basedOn: string) => Promise<void>;
  read: () => Promise<KeptWriting<Draft> | null>;
  /** Another tab or machine of the writer has kept something meanwhile. */
  isStale: (error: unknown) => boolean;
  /** The server may accept the same request later. */
  isPassing: (error: unknown) => boolean;
}

/** What is written, and the saved version that it changes. */
export interface Writing<Draft> {
  base: Draft;
  draft: Draft;
  fromVersion: number;
}

interface KeeperState<Draft extends object> {
  /** `kept`: the server has all that was noted; `failed`: it does not. */
  status: "nothing" | "keeping" | "kept" | "failed";
  /** Text from elsewhere that its writer has to restore or discard first. */
  offered: KeptWriting<Draft> | null;
}

const retryMilliseconds = 5_000;

const adds = <Draft extends object>(to: Draft, { mine }: KeptWriting<Draft>) =>
  changedFields(to, { ...to, ...mine }).length > 0;

/**
 * Keeps a writer's unsaved text on the server, one request at a time. What another tab or machine has kept is not
 * replaced: it is offered, and until that is decided nothing more is kept.
 */
export class DraftKeeper<Draft extends object> {
  private state: KeeperState<Draft>;
  /** Of what the server has; null: it has nothing. */
  private version: string | null;
  private latest: Writing<Draft> | null = null;
  private stored: Writing<Draft> | null = null;
  private isRunning = false;
  private isPaused = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly server: DraftServer<Draft>,
    initial: KeptWriting<Draft> | null,
    base: Draft,
  ) {
    this.version = initial?.at ?? null;
    this.state = { status: "nothing", offered: initial && adds(base, initial) ? initial : null };
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  getState = () => this.state;

  private update(part: Partial<KeeperState<Draft>>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }

  /** To be called when the typing pauses. */
  note(writing: Writing<Draft>): void {
    if (this.isPaused) return;
    this.latest = writing;
    void this.run();
  }

  /**
   * While a conflict is open, nothing is noted: kept against the newer version, the text would no longer differ from
   * it the next time, and replace it.
   */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
  }

  /** To be called when what was refused may be accepted by now. */
  retry(): void {
    if (this.state.status === "failed") void this.run();
  }

  /** The offered text is being written here from now on. */
  restored(): void {
    this.update({ offered: null });
  }

  discard(): void {
    this.update({ offered: null });
    this.stored = null;
    void this.run();
  }

  private isHeld(): boolean {
    return this.isPaused || this.state.offered !== null;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    clearTimeout(this.timer);
    try {
      while (this.latest && this.latest !== this.stored && !this.isHeld()) {
        await this.store(this.latest);
      }
    } catch (error) {
      this.update({ status: "failed" });
      if (this.server.isPassing(error)) {
        this.timer = setTimeout(() => void this.run(), retryMilliseconds);
      }
    } finally {
      this.isRunning = false;
    }
  }

  private async store(writing: Writing<Draft>): Promise<void> {
    const changes = changedPart(writing.base, writing.draft);
    const isChanged = Object.keys(changes).length > 0;
    try {
      if (isChanged) {
        this.update({ status: "keeping" });
        this.version = await this.server.keep(changes, writing.fromVersion, this.version);
      } else if (this.version !== null) {
        await this.server.forget(this.version);
        this.version = null;
      }
      this.stored = writing;
      this.update({ status: isChanged ? "kept" : "nothing" });
    } catch (error) {
      if (!this.server.isStale(error)) throw error;
      const theirs = await this.server.read();
      const known = this.version;
      this.version = theirs?.at ?? null;
      // It calls the version outdated, yet has no other.
      if (this.version === known) throw error;
      if (theirs && adds(writing.draft, theirs)) this.update({ offered: theirs });
    }
  }
}
