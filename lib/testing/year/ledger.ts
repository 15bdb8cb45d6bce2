import type { EmailStatus } from "@/db/enums";

/** What can happen to an email once it was accepted. */
export type Happening =
  | "sent"
  | "deferred"
  | "delivered"
  | "opened"
  | "clicked"
  | "bounced"
  | "complained"
  | "unsubscribed";

export interface Happened {
  name: Happening;
  /** Milliseconds; of things that happen in the same step it is the same. */
  at: number;
  /** Of a click. */
  url?: string;
}

/** An email as whoever sent it remembers it. */
export interface LedgerMail {
  /** uuid */
  id: string;
  to: string;
  /** As the API names it. */
  campaign: string | null;
  acceptedAt: number;
  /** When it is to be tried next; null: that is over. */
  dueAt: number | null;
  happened: Happened[];
}

/** From one moment up to another. */
export interface Stretch {
  from: number;
  before: number;
}
export const always: Stretch = { from: -Infinity, before: Infinity };

const minute = 60_000;
const trouble = new Set<Happening>(["bounced", "complained"]);

export const firstTime = ({ happened }: LedgerMail, name: Happening): number | null =>
  happened.find((one) => one.name === name)?.at ?? null;

export const timesOf = ({ happened }: LedgerMail, name: Happening): number =>
  happened.filter((one) => one.name === name).length;

export const isTroubled = ({ happened }: LedgerMail): boolean =>
  happened.some(({ name }) => trouble.has(name));

export function statusOf(mail: LedgerMail): EmailStatus {
  if (mail.dueAt !== null) return "PENDING";
  const has = (name: Happening) => firstTime(mail, name) !== null;
  if (has("bounced")) return "BOUNCED";
  if (has("complained")) return "COMPLAINED";
  if (has("clicked")) return "CLICKED";
  return has("opened") ? "OPENED" : "DELIVERED";
}

const within = (at: number | null, { from, before }: Stretch) =>
  at !== null && at >= from && at < before;

/** How many emails this happened to for the first time in a stretch of time. */
export const countFirst = (mails: readonly LedgerMail[], name: Happening, stretch: Stretch) =>
  mails.filter((mail) => within(firstTime(mail, name), stretch)).length;

/** The figures of a stretch of time: what a server refused was handed over, too. */
export function figuresOf(mails: readonly LedgerMail[], stretch: Stretch = always) {
  const of = (name: Happening) => countFirst(mails, name, stretch);
  return {
    sent: of("sent") + of("bounced"),
    delivered: of("delivered"),
    opened: of("opened"),
    clicked: of("clicked"),
    bounced: of("bounced"),
    complained: of("complained"),
  };
}

/** The parts that addresses at sandbox.test play, as docs/api.md has them. */
function outcomeOf({ to, happened }: LedgerMail): Happening[] {
  if (to.startsWith("bounced+")) return ["bounced"];
  if (to.startsWith("complained+")) return ["sent", "delivered", "complained"];
  if (to.startsWith("deferred+") && happened.length === 0) return ["deferred"];
  return ["sent", "delivered"];
}

/** A worker works: what is due gets its outcome. */
export function settle(mails: readonly LedgerMail[], now: number): void {
  for (const mail of mails) {
    if (mail.dueAt === null || mail.dueAt > now) continue;
    const outcome = outcomeOf(mail);
    mail.happened.push(...outcome.map((name) => ({ name, at: now })));
    mail.dueAt = outcome[0] === "deferred" ? now + minute : null;
  }
}
