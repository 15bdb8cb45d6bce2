/** What became of mail that was handed over, as the kept figures have it. */
export interface HandedOver {
  /** Accepted by a mail server, or refused by it for good. */
  sent: number;
  delivered: number;
  /** Those of `delivered` that only a reader proves, and no report. */
  inferred: number;
  bounced: number;
}

/** The share of accepted mail that reports must cover before they become the measure. */
const leastReported = 1 / 2;
/** The share of unreported mail that may be read: above it, mail arrives and its servers do not report. */
const mostReadUnreported = 1 / 20;
/** The share of reported mail that may be read before its report comes. */
const mostReadBefore = 1 / 100;

/**
 * Whether reports confirm deliveries, and what rates are a share of: the one rule for every surface.
 *
 * A server that accepts mail does not say that it arrives; a report does: a success notification, a provider's event,
 * the receiver's own 250. An open, a click or a complaint proves that this one mail arrived and says nothing about
 * those nobody opened: where "delivered" is known only from readers, nearly all of it was read. So where reports cover
 * most mail, readers are a share of what was delivered; elsewhere (no reports, reports from only some of the servers,
 * nothing sent) of what was accepted and did not bounce, as is the delivery rate then.
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

/** What rates are a share of, once it is known whether deliveries are confirmed: see arrivalOf. */
export const arrivedOf = ({
  deliveryConfirmed,
  sent,
  delivered,
  bounced,
}: Omit<HandedOver, "inferred"> & { deliveryConfirmed: boolean }): number =>
  deliveryConfirmed ? delivered : Math.max(0, sent - bounced);

/** 0 to 1 with four digits: it is shown as a percentage with two. 0 while there is nothing to be a share of. */
export const rateOf = (count: number, of: number): number =>
  of === 0 ? 0 : Math.min(1, Math.round((count / of) * 10_000) / 10_000);
