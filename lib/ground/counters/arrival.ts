/** What became of mail that was handed over, as the kept figures have it. */
export interface HandedOver {
  /** Accepted by a mail server, or refused by it for good. */
  sent: number;
  delivered: number;
  /** Of `delivered`, those that only their reader proves, and no report. */
  inferred: number;
  bounced: number;
}

/** Of the mail that was accepted, the part that reports have to tell of before they are the measure. */
const leastReported = 1 / 2;
/** Of the mail that no report told of, the part that was read: with more, it arrives, and its servers do not report. */
const mostReadUnreported = 1 / 20;
/** Of the mail that reports told of, as many may be read before their report comes. */
const mostReadBefore = 1 / 100;

/**
 * Whether reports confirm deliveries, and what rates are a share of: the one rule of every surface.
 *
 * A server that accepts mail does not say that it arrives; a report does: a success notification, a provider's
 * event, the receiver's own 250. An open, a click or a complaint proves that this one mail arrived and says
 * nothing of those nobody opened: of "delivered" that is known from readers, nearly everybody has read it.
 * So where reports tell of most mail, readers are a share of what was delivered; elsewhere (no reports, only of
 * some of the servers, nothing sent) of what was accepted and did not bounce, as the delivery rate is then.
 */
export function arrivalOf({ sent, delivered, inferred, bounced }: HandedOver): {
  confirmed: boolean;
  /** What opens, clicks, complaints and opt-outs are a share of. */
  arrived: number;
  /** 0 to 1, not rounded; 0 while nothing was sent. */
  deliveryRate: number;
} {
  const accepted = arrivedOf({ deliveryConfirmed: false, sent, delivered, bounced });
  const reported = Math.max(0, delivered - inferred);
  const unreported = Math.max(0, accepted - reported);
  const confirmed =
    reported > 0 &&
    reported >= accepted * leastReported &&
    inferred <= Math.max(unreported * mostReadUnreported, reported * mostReadBefore);
  const arrived = arrivedOf({ deliveryConfirmed: confirmed, sent, delivered, bounced });
  return { confirmed, arrived, deliveryRate: sent === 0 ? 0 : Math.min(1, arrived / sent) };
}

/** What rates are a share of, where it has been found whether deliveries are confirmed: see arrivalOf. */
export const arrivedOf = ({
  deliveryConfirmed,
  sent,
  delivered,
  bounced,
}: Omit<HandedOver, "inferred"> & { deliveryConfirmed: boolean }): number =>
  deliveryConfirmed ? delivered : Math.max(0, sent - bounced);

/** 0 to 1 with four digits: it is shown as a percentage with two. 0 while there is nothing it is a share of. */
export const rateOf = (count: number, of: number): number =>
  of === 0 ? 0 : Math.min(1, Math.round((count / of) * 10_000) / 10_000);
