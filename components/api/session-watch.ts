import { ApiError } from "@/lib/doors/http/client";
import { phrases } from "@/lib/ground/texts/t";

/*
 * Whether the page's viewer is signed in, as far as the page knows:
 *
 * in      requests go out as they come
 * out     nobody is signed in
 * other   somebody else is signed in in this browser
 * barred  the viewer is, but may not open the project any more
 *
 * Any but `in` is asked about in one dialog, however many requests met it, and may be put aside. Requests wait
 * meanwhile: the server has refused them before it did anything, so they can be sent again.
 */
export type Standing =
  | { kind: "in" }
  | { kind: "out" }
  | { kind: "other"; sentence: string }
  | { kind: "barred" };

/**
 * What a request is for. `press`: somebody has just asked for a change. `unasked`: a change that is saved along
 * the way. `read`: what the page shows.
 */
export type Urgency = "press" | "unasked" | "read";

interface WatchState {
  standing: Standing;
  /** The dialog is wanted; false once it was put aside. */
  asking: boolean;
}

interface Waiter {
  urgency: Urgency;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** What follows a press of a button by at most so much was asked for by it. */
const pressMilliseconds = 300;

const refusals = phrases({
  press: "You were signed out, so this was not done. Sign in, then try again.",
  unasked: "You are signed out. What you wrote is saved once you sign in.",
});

/** What an error says of the session; null when it says nothing. */
export function standingOf(error: unknown): Standing | null {
  if (!(error instanceof ApiError) || error.code !== "MISSING_AUTH") return null;
  return error.details.some(({ path }) => path === "viewer")
    ? { kind: "other", sentence: error.message }
    : { kind: "out" };
}

/** Keeps requests back while the viewer is signed out, and tells the page. */
export class SessionWatch {
  private state: WatchState = { standing: { kind: "in" }, asking: false };
  private look: (() => Promise<Standing | null>) | null = null;
  private looking: Promise<void> | null = null;
  /** Rises with each return, so that answers from before it can be told. */
  private returns = 0;
  private pressedAt = -Infinity;
  private readonly waiters = new Set<Waiter>();
  private readonly listeners = new Set<() => void>();
  private readonly returnListeners = new Set<() => void>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  getState = () => this.state;

  /** Calls `listener` whenever the viewer has signed in again. */
  onReturn(listener: () => void): () => void {
    this.returnListeners.add(listener);
    return () => void this.returnListeners.delete(listener);
  }

  /**
   * From now on, somebody is there to be asked. `look` asks the server who is signed in; null: it does not say.
   * Without anybody to ask, requests fail as they come.
   */
  attend(look: () => Promise<Standing | null>): () => void {
    this.look = look;
    return () => {
      if (this.look === look) this.look = null;
    };
  }

  /** Sends a request, and again once the viewer is back if it met an ended session. */
  async run<Answer>(
    send: () => Promise<Answer>,
    urgency: Urgency,
    signal?: AbortSignal,
  ): Promise<Answer> {
    for (;;) {
      if (this.look && this.state.standing.kind !== "in") await this.admit(urgency, signal);
      const sentAfter = this.returns;
      try {
        return await send();
      } catch (error) {
        const standing = standingOf(error);
        if (!standing || !this.look) throw error;
        // Refused before the viewer was back, and answered after.
        if (sentAfter !== this.returns) continue;
        this.lose(standing, urgency);
      }
    }
  }

  private lose(standing: Standing, urgency: Urgency): void {
    const isNews = standing.kind !== this.state.standing.kind;
    this.update({ standing, asking: this.state.asking || isNews || this.isPressed(urgency) });
  }

  private isPressed(urgency: Urgency): boolean {
    return urgency === "press" || this.now() - this.pressedAt <= pressMilliseconds;
  }

  /** Resolves once the request may be sent. */
  private async admit(urgency: Urgency, signal?: AbortSignal): Promise<void> {
    if (this.isPressed(urgency) && !this.state.asking) {
      await this.check();
      if (this.state.standing.kind === "in") return;
      this.update({ ...this.state, asking: true });
    }
    if (urgency !== "read" && !this.state.asking) throw refusal(urgency);
    await this.wait(urgency, signal);
  }

  private wait(urgency: Urgency, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.waiters.delete(waiter);
        signal?.removeEventListener("abort", stop);
      };
      const stop = () => waiter.reject(signal?.reason);
      const waiter: Waiter = {
        urgency,
        resolve: () => {
          end();
          resolve();
        },
        reject: (reason) => {
          end();
          // The reason of an abort is whatever its caller gave.
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors
          reject(reason);
        },
      };
      this.waiters.add(waiter);
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop);
    });
  }

  /** Asks the server who is signed in. */
  check(): Promise<void> {
    if (!this.look || this.state.standing.kind === "in") return Promise.resolve();
    this.looking ??= this.look()
      .then((standing) => {
        if (standing) this.settle(standing);
      })
      .finally(() => {
        this.looking = null;
      });
    return this.looking;
  }

  private settle(standing: Standing): void {
    if (standing.kind !== "in") {
      const isNews = standing.kind !== this.state.standing.kind;
      this.update({ standing, asking: this.state.asking || isNews });
      return;
    }
    this.returns += 1;
    this.update({ standing, asking: false });
    for (const waiter of [...this.waiters]) waiter.resolve();
    for (const listener of this.returnListeners) listener();
  }

  /** A button was pressed: what it asks for asks for the session as well. */
  press(): void {
    this.pressedAt = this.now();
  }

  /** Opens the dialog again. */
  ask(): void {
    if (this.state.standing.kind !== "in") this.update({ ...this.state, asking: true });
  }

  /** Closes the dialog: changes that wait fail, and what the page shows waits on. */
  putAside(): void {
    this.pressedAt = -Infinity;
    this.update({ ...this.state, asking: false });
    for (const waiter of [...this.waiters]) {
      if (waiter.urgency !== "read") waiter.reject(refusal(waiter.urgency));
    }
  }

  private update(state: WatchState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const refusal = (urgency: "press" | "unasked") =>
  new ApiError(401, "MISSING_AUTH", refusals[urgency], [], undefined);

/** The one of this tab. */
export const sessionWatch = new SessionWatch();
