/** What a mail server said: its code, its enhanced code (RFC 3463) when it gave one, its words. */
export interface SmtpReply {
  code: number;
  enhancedCode: string | null;
  text: string;
}

/**
 * What came of one hand-over.
 * accepted: the server has it, whatever happens next. refused: 4xx or 5xx, `reply` says which.
 * lost: the connection went away under the message. unavailable: no session with the server could be had.
 * withheld: it was not to leave any more when its turn came.
 */
export type Outcome =
  | { kind: "accepted"; reply: SmtpReply }
  | { kind: "refused"; reply: SmtpReply }
  | { kind: "lost"; reason: string }
  | { kind: "unavailable"; reason: string }
  | { kind: "withheld" };

/** Who gets a message and where its bounces go: never read from its headers. */
export interface Envelope {
  from: string;
  to: string;
}

export interface Transport {
  /** Resolves when the server can be reached; at once while nothing is known against it. */
  ready(signal: AbortSignal): Promise<void>;
  /** `mayStart` is asked when the message's turn has come, just before its first byte. */
  deliver(envelope: Envelope, raw: Buffer, mayStart: () => Promise<boolean>): Promise<Outcome>;
  /** Ends idle connections; what is under way ends by itself. */
  close(): void;
}
