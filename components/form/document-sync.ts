import { changedFields } from "./changed";
import { conflictingFields, merged, type Groups } from "./merge";

/** A document as the server has it: its content and the version that saves are based on. */
export interface Stored<Draft> {
  draft: Draft;
  /** `updatedAt`: rises with every change. */
  version: string;
}

interface SyncState<Draft> {
  draft: Draft;
  /** What the server has of it, exactly as it was typed. */
  saved: Draft;
  saving: boolean;
  /** Why the last try did not save; null once something is typed or saved. */
  error: unknown;
  /** What was changed on both sides at once: nothing is saved until that is decided. */
  conflict: { fields: readonly (keyof Draft)[]; theirs: Draft } | null;
}

interface Server<Draft> {
  /** Saves these fields of `draft` if the server still has `version`. */
  save: (draft: Draft, fields: readonly (keyof Draft)[], version: string) => Promise<Stored<Draft>>;
  read: () => Promise<Stored<Draft>>;
  /** The save was refused because the server has a newer version. */
  isStale: (error: unknown) => boolean;
  /** The server may accept the same save later. */
  isPassing: (error: unknown) => boolean;
}

const pauseMilliseconds = 350;
const retryMilliseconds = 3_000;

/**
 * Keeps a document written here in step with the server's: saves changes when typing pauses, based on the
 * version it knows; takes over others' changes, and stops at a conflict.
 */
export class DocumentSync<Draft extends object> {
  private state: SyncState<Draft>;
  /** As the server has it: `saved` may differ, for instance in blanks at the ends. */
  private stored: Stored<Draft>;
  private newer: Stored<Draft> | null = null;
  private running: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    initial: Stored<Draft>,
    private readonly server: Server<Draft>,
    private readonly groups: Groups<Draft> = [],
  ) {
    this.stored = initial;
    this.state = {
      draft: initial.draft,
      saved: initial.draft,
      saving: false,
      error: null,
      conflict: null,
    };
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  getState = () => this.state;

  private update(part: Partial<SyncState<Draft>>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }

  get dirty(): boolean {
    return changedFields(this.state.saved, this.state.draft).length > 0;
  }

  /** Of the server's document, as it is known here. */
  get version(): string {
    return this.stored.version;
  }

  set(part: Partial<Draft>): void {
    this.update({ draft: { ...this.state.draft, ...part }, error: null });
    this.schedule(pauseMilliseconds);
  }

  /** What the server has by now, read apart from saves; a save under way takes precedence. */
  receive(current: Stored<Draft>): void {
    if (!this.running) this.adopt(current);
  }

  private adopt(current: Stored<Draft>): void {
    if (current.version <= (this.newer ?? this.stored).version) return;
    const { saved, draft } = this.state;
    // A field that is the same on the server counts as unchanged, however it was typed.
    const changed = changedFields(this.stored.draft, current.draft);
    const theirs = { ...saved };
    for (const name of changed) theirs[name] = current.draft[name];
    const fields = conflictingFields(saved, theirs, draft, this.groups);
    this.newer = current;
    if (fields.length > 0) {
      this.update({ conflict: { fields, theirs } });
      return;
    }
    this.takeOver(theirs, merged(saved, theirs, draft, this.groups));
  }

  private takeOver(theirs: Draft, draft: Draft): void {
    if (this.newer) this.stored = this.newer;
    this.newer = null;
    this.update({ saved: theirs, draft, conflict: null, error: null });
    if (this.dirty) this.schedule(pauseMilliseconds);
  }

  keepMine(): void {
    const { saved, draft, conflict } = this.state;
    if (conflict)
      this.takeOver(conflict.theirs, merged(saved, conflict.theirs, draft, this.groups));
  }

  takeTheirs(): void {
    const { saved, draft, conflict } = this.state;
    if (!conflict) return;
    const both = merged(saved, conflict.theirs, draft, this.groups);
    for (const name of conflict.fields) both[name] = conflict.theirs[name];
    this.takeOver(conflict.theirs, both);
  }

  /** Text from an earlier visit: `mine` was made from `base` and never reached the server. */
  restore(base: Partial<Draft>, mine: Partial<Draft>): void {
    const { saved } = this.state;
    const before = { ...saved, ...base };
    const fields = conflictingFields(before, saved, { ...before, ...mine }, this.groups);
    this.update({
      draft: { ...this.state.draft, ...mine },
      conflict: fields.length > 0 ? { fields, theirs: saved } : null,
      error: null,
    });
    this.schedule(0);
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // Shown from the state.
      this.save(false).catch(() => undefined);
    }, milliseconds);
  }

  /** Tries again what failed for a reason that is gone by now. */
  retry(): void {
    if (this.state.error !== null && this.dirty) this.schedule(0);
  }

  /** Resolves once everything is saved; throws whatever prevents that. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.running?.catch(() => undefined);
    await this.save(true);
    if (this.state.conflict) throw new Error("First choose which of the two texts to keep.");
  }

  /** When the page is left: sends what is not saved yet, once. Resolves to whether all is saved. */
  async leave(): Promise<boolean> {
    await this.flush().catch(() => undefined);
    clearTimeout(this.timer);
    return !this.dirty;
  }

  private async save(untilClean: boolean): Promise<void> {
    if (this.running) {
      this.schedule(pauseMilliseconds);
      return;
    }
    this.running = this.saveNow(untilClean);
    try {
      await this.running;
    } finally {
      this.running = null;
      this.update({ saving: false });
    }
  }

  private async saveNow(untilClean: boolean): Promise<void> {
    try {
      do {
        const { saved, draft, conflict } = this.state;
        const fields = changedFields(saved, draft);
        if (fields.length === 0 || conflict) return;
        this.update({ saving: true });
        const { version } = this.stored;
        try {
          const stored = await this.server.save(draft, fields, version);
          if (stored.version > this.stored.version) this.stored = stored;
          this.update({ saved: { ...this.state.saved, ...pick(draft, fields) }, error: null });
        } catch (error) {
          if (!this.server.isStale(error)) throw error;
          this.adopt(await this.server.read());
          // The server calls it outdated, yet has nothing newer to show.
          if (!this.state.conflict && this.stored.version === version) throw error;
        }
      } while (untilClean && this.dirty && !this.state.conflict);
    } catch (error) {
      this.update({ error });
      if (this.server.isPassing(error)) this.schedule(retryMilliseconds);
      throw error;
    }
  }
}

function pick<Draft extends object>(draft: Draft, fields: readonly (keyof Draft)[]) {
  const part: Partial<Draft> = {};
  for (const name of fields) part[name] = draft[name];
  return part;
}
