import type { ConnectionSender } from "./connection-sender";

/** How an email leaves. */
export type Route = {
  /** Whether its receiver, or the server behind which that is, is given less: this one finds out what it takes. */
  turn: boolean;
  /** The same of who takes it. */
  probe: boolean;
  /** Must be called once nothing of it is under way any more. */
  end: () => void;
} & (
  | { connectionId: null; sender: null }
  /** The connection it is to leave through, and who takes it: that one, or its fallback. */
  | { connectionId: string; sender: ConnectionSender }
);

export function routeOf(probe: boolean): Route {
  return { connectionId: null, sender: null, turn: probe, probe, end: () => {} };
}
