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

/** Minutes until the next try after a temporary refusal; four hours from then on. */
const backoffMinutes = [1, 5, 15, 30, 60, 120];
const longestBackoffMinutes = 240;
/** The steps add up to four days. */
const mostAttempts = 31;
const lostConnectionSeconds = 5;

/** Seconds until try number `attempts` + 1, spread by a tenth; null: four days are over. */
export function retryAfterSeconds(attempts: number, spread: number = Math.random()): number | null {
  if (attempts >= mostAttempts) return null;
  const minutes = backoffMinutes[attempts - 1] ?? longestBackoffMinutes;
  return Math.round(minutes * 60 * (1 + 0.1 * spread));
}

/** A connection that went away says nothing about the mail: the first try again is soon. */
export function retryAfterLossSeconds(attempts: number): number | null {
  return attempts <= 1 ? lostConnectionSeconds : retryAfterSeconds(attempts - 1);
}

/** 5.1.x but for the sender's own address (5.1.7, 5.1.8), and a mailbox that takes no mail. */
const addressCodes = /^5\.(1\.(?![78]$)\d+|2\.1)$/;
const addressWords =
  /(user|mailbox|recipient|address|account)\b.*(unknown|not found|not exist|doesn't exist|no such|unavailable|invalid|disabled|rejected: access)|(no such|unknown|invalid) (user|mailbox|recipient|address|account|local)/i;

/** Whether a permanent refusal says that the address itself is bad: such an address is suppressed. */
export function isAddressFault(reply: SmtpReply): boolean {
  if (reply.enhancedCode !== null && reply.enhancedCode !== "5.0.0") {
    return addressCodes.test(reply.enhancedCode);
  }
  return [550, 551, 553].includes(reply.code) && addressWords.test(reply.text);
}
