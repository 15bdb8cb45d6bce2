import type { ConnectionKind } from "@/db/enums";

/** What a mail server said: its code, its enhanced code (RFC 3463) if it gave one, and its words. */
export interface SmtpReply {
  code: number;
  enhancedCode: string | null;
  text: string;
}

/** What a refusal is about: the sender (MAIL FROM), the recipient (RCPT TO), or the message itself. */
export type RefusalStage = "sender" | "recipient" | "message";

/**
 * What came of one hand-over.
 * accepted: the server has it, whatever happens next; `providerId`: what a provider calls it.
 * refused: 4xx or 5xx, `reply` says which. lost: the connection went away; `written`: after the message, so that
 * the server may have it. unavailable: no session with the server could be had; `loginRefused`: nor will one be, until
 * the password is changed. withheld: it was no longer to leave when its turn came. later: the recipient's server has
 * enough for now; this email's turn is in that many seconds.
 * `receiver`: the host of the recipient's own provider that answered, or their domain where none did; absent: a
 * server that passes mail on.
 */
export type Outcome =
  | { kind: "accepted"; reply: SmtpReply; providerId?: string | null; receiver?: string }
  | { kind: "refused"; stage: RefusalStage; reply: SmtpReply; receiver?: string }
  | { kind: "lost"; reason: string; written: boolean }
  | { kind: "unavailable"; reason: string; loginRefused?: boolean }
  | { kind: "withheld" }
  | { kind: "later"; seconds: number };

/** Who gets a message and where its bounces go; never read from its headers. */
export interface Envelope {
  from: string;
  to: string;
  /**
   * Asks a server that offers this to notify `from` of the outcome, with this id (RFC 3461); absent: of failures only.
   */
  notifyAs?: string;
}

/** How one message is handed over. */
export interface HandOver {
  /** Campaign mail leaves room for all other mail. */
  lane: "transactional" | "campaign";
  /** Asked when the message's turn has come, just before its first byte is sent. */
  mayStart: () => Promise<boolean>;
}

/** The answer to whether mail could be handed over now; `words`: the other side's. */
export interface Probe {
  ok: boolean;
  words: string;
  /** Only another password or key would help. */
  loginRefused: boolean;
}

export interface Transport {
  /** How mail leaves through it. */
  readonly kind: ConnectionKind;
  /** Why no session can be had, and since when (milliseconds since 1970); null: nothing speaks against it. */
  readonly trouble: { words: string; since: number } | null;
  /** Whether there is no sign that the server could not be reached. */
  readonly available: boolean;
  /** Resolves when the server can be reached; at once while it is available. */
  ready(signal: AbortSignal): Promise<void>;
  deliver(envelope: Envelope, raw: Buffer, how: HandOver): Promise<Outcome>;
  /**
   * Where recipients have servers of their own: seconds until theirs takes one more, whose turn is then taken;
   * 0: now, as far as is known.
   */
  waitSeconds?(recipient: string, lane: HandOver["lane"]): number;
  /** Tries the way there, as far as logging in, and sends nothing. Never throws. */
  probe(): Promise<Probe>;
  /** Turns away what is waiting for a connection and ends idle ones; what is under way finishes. */
  close(): void;
}
