import type { BounceClass, EmailEventName, EmailStatus, SuppressionReason } from "@/db/enums";
import type { FigureName } from "@/lib/ground/counters/counters";

/** What another mail server, or a person's mail program, reports about one email. */
export type DeliveryReport =
  | { kind: "delivered" }
  /**
   * hard: the address is no good. gaveUp: whatever the reason was, nobody tries again. unproven: anybody may have written
   * it, so nobody is suppressed for it, however often.
   */
  | { kind: "bounced"; hard: boolean; gaveUp?: boolean; unproven?: boolean }
  /** A server goes on trying. */
  | { kind: "delayed" }
  | { kind: "complained"; type: string }
  | { kind: "failed" };

/*
 * report       email        contact                              repeated
 * delivered    DELIVERED                                         nothing
 *   once read  an event                                          nothing
 * delayed      an event                                          nothing
 * soft bounce  an event     the fifth without a delivery: hard,  nothing
 *                           unless it is about the sender, or unproven
 *   given up   BOUNCED      the same                             nothing
 * hard bounce  BOUNCED      suppressed, memberships bounced      nothing
 * complained   COMPLAINED   suppressed, unsubscribed, complained nothing
 * failed       FAILED                                            nothing
 * The status moves by the ladder of lib/domain/emails/status.ts: a late report takes nothing away.
 */

/** The status that a report asks for. */
export const targets = {
  delivered: "DELIVERED",
  // Moves nothing.
  delayed: "PENDING",
  bounced: "BOUNCED",
  complained: "COMPLAINED",
  failed: "FAILED",
} as const satisfies Record<DeliveryReport["kind"], EmailStatus>;

/** An email whose row is locked. */
export interface LockedEmail extends Record<string, unknown> {
  id: string;
  project_id: string;
  contact_id: string | null;
  recipient: string | null;
  status: EmailStatus;
  /** After the report, by the ladder. */
  next_status: EmailStatus;
  was_sent: boolean;
  was_delivered: boolean;
  /** The event of it was deleted by age: a report of the same is taken for a repetition. */
  forgot_delivery: boolean;
  forgot_bounce: boolean;
}

/** What was recorded of an email, and of its person, before the report. */
export interface Noted {
  /** It has been reported late before. */
  delayed: boolean;
  /** Its delivery was reported, rather than inferred from its reader. */
  delivered: boolean;
  bounced: boolean;
  bounced_hard: boolean;
  /** The person's other emails to this address that bounced since the last that was delivered there and wear it out. */
  refused: number;
}

/** The effect of a report on one email. */
export interface Effect {
  event: EmailEventName;
  data: Record<string, unknown>;
  status: EmailStatus | null;
  suppress: SuppressionReason | null;
  /** It confirms what was known from the reader alone. */
  confirms?: true;
}

/** In a row, with no delivery in between: the address counts as dead. */
export const softBouncesThatAreHard = 5;

/** Why a server refuses the sender or what is sent: that says nothing of the address, however often it happens. */
export const causesOfSender: readonly BounceClass[] = [
  "reputation",
  "policy",
  "content",
  "too_large",
];

/** `cause`: why it bounced, where that is known. null: nothing new. */
export function effectOf(
  email: LockedEmail,
  noted: Noted,
  report: DeliveryReport,
  cause: unknown = null,
): Effect | null {
  const moves = email.next_status !== email.status;
  switch (report.kind) {
    case "delivered":
      if (!email.was_delivered) return moves ? plain("delivered", "DELIVERED") : null;
      // A person who reported it as spam got it, whatever a server says that refused it afterwards.
      return noted.delivered || noted.bounced_hard || email.forgot_delivery
        ? null
        : { ...plain("delivered", null), confirms: true };
    case "delayed": {
      const isOnItsWay = email.status === "PENDING" || email.status === "SENT";
      return isOnItsWay && !noted.delayed ? plain("deferred", null) : null;
    }
    case "failed":
      return moves ? { ...plain("failed", "FAILED"), data: { reason: "reported" } } : null;
    case "complained":
      return moves
        ? {
            event: "complained",
            data: { type: report.type },
            status: "COMPLAINED",
            suppress: "complaint",
          }
        : null;
    case "bounced": {
      if (noted.bounced_hard || email.forgot_bounce) return null;
      if (!report.hard && noted.bounced) return null;
      const isOfAddress = !report.unproven && !causesOfSender.some((one) => one === cause);
      const wears = email.contact_id !== null && isOfAddress;
      const isWornOut = wears && noted.refused + 1 >= softBouncesThatAreHard;
      const hard = report.hard || isWornOut;
      const ends = hard || report.gaveUp === true;
      return {
        event: "bounced",
        // Nobody said that there is no such address: it wore out.
        data: { type: hard ? "hard" : "soft", ...(hard && !report.hard ? { cause: "other" } : {}) },
        status: ends && moves ? "BOUNCED" : null,
        suppress: hard ? "hard_bounce" : null,
      };
    }
  }
}

function plain(event: EmailEventName, status: EmailStatus | null): Effect {
  return { event, data: {}, status, suppress: null };
}

/** The figures that a report can change. */
export const reportFigures = [
  ...["settled", "sent", "delivered", "inferred"],
  ...["bounced", "complained", "failed"],
] as const satisfies FigureName[];
export type ReportFigures = Record<(typeof reportFigures)[number], number>;

/** What is added to the figures: first times only. */
export function figuresOf(email: LockedEmail, { status, confirms }: Effect): ReportFigures {
  const arrived = status === "DELIVERED" || status === "COMPLAINED";
  // Mail that a server refused was handed over, too.
  const handedOver = arrived || (status === "BOUNCED" && email.status === "PENDING");
  const takenBack = status === "FAILED" && email.was_sent;
  const inferred = status === "COMPLAINED" && !email.was_delivered ? 1 : 0;
  return {
    settled: status !== null && email.status === "PENDING" ? 1 : 0,
    // Sent and failed add up to what was settled: an email is one of them. What bounced was counted then.
    sent: takenBack ? -1 : !email.was_sent && handedOver && email.status !== "BOUNCED" ? 1 : 0,
    delivered: arrived && !email.was_delivered ? 1 : 0,
    inferred: confirms ? -1 : inferred,
    bounced: status === "BOUNCED" ? 1 : 0,
    complained: status === "COMPLAINED" ? 1 : 0,
    failed: status === "FAILED" ? 1 : 0,
  };
}
