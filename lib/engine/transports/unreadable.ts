import type { ConnectionKind } from "@/db/enums";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import type { Outcome, Probe, Transport } from "@/lib/mail/transport";

const words = inEnglish(
  "The password or key of this connection cannot be read: it was stored under another APP_SECRET, or damaged. Enter it again.",
);

/** Stands in for a sending connection whose secret cannot be read: its mail waits, as for one that is refused. */
export class Unreadable implements Transport {
  readonly trouble = null;
  readonly available = true;

  constructor(readonly kind: ConnectionKind) {}

  ready(): Promise<void> {
    return Promise.resolve();
  }

  deliver(): Promise<Outcome> {
    return Promise.resolve({ kind: "unavailable", reason: words, loginRefused: true });
  }

  probe(): Promise<Probe> {
    return Promise.resolve({ ok: false, words, loginRefused: true });
  }

  close(): void {}
}
