import { t } from "@/lib/ground/texts/t";
import { count, percent } from "./numbers";

interface Handed {
  /** Handed over to a mail server, which accepted it or refused it for good. */
  sent: number;
  delivered: number;
  bounced: number;
  /** Reports cover most of what was accepted. */
  deliveryConfirmed: boolean;
}

/**
 * What arrived, and what that is a share of. A server that accepts mail and sends no reports leaves it open
 * whether it arrived: that is neither 0 % nor 100 % delivered, and is shown as such.
 */
export function deliveredFigure({ sent, delivered, bounced, deliveryConfirmed }: Handed): {
  value: string;
  note: string;
} {
  const accepted = Math.max(0, sent - delivered - bounced);
  if (sent === 0 && delivered === 0) return { value: "0", note: t("nothing sent yet") };
  if (delivered === 0 && accepted > 0) {
    return {
      value: "–",
      note: t("{accepted} accepted, none confirmed yet", { accepted: count(accepted) }),
    };
  }
  if (!deliveryConfirmed && delivered > 0) {
    const note =
      accepted === 0
        ? t("known to have arrived")
        : t("known to have arrived, {accepted} more accepted", { accepted: count(accepted) });
    return { value: count(delivered), note };
  }
  const share = percent(Math.min(1, delivered / Math.max(sent, delivered)));
  return {
    value: count(delivered),
    note:
      accepted === 0
        ? t("{share} of sent", { share })
        : t("{share} of sent, {accepted} accepted and not confirmed", {
            share,
            accepted: count(accepted),
          }),
  };
}

/**
 * What readers' rates are shares of: the server decides it. To be named within a text:
 * `t("{share} of {base, select, delivered {delivered} other {accepted}}", { share, base })`.
 */
export const shareBase = ({ deliveryConfirmed }: { deliveryConfirmed: boolean }) =>
  deliveryConfirmed ? "delivered" : "accepted";

/** What the columns of a table of providers are shares of. */
export const providerBases = (figures: { deliveryConfirmed: boolean }) =>
  t(
    "Delivered and bounced are shares of what was sent; opens, clicks and complaints, of what was {base, select, delivered {delivered} other {accepted}}.",
    { base: shareBase(figures) },
  );

/** A share in a table; none if there is nothing to take it of. */
export const shareOf = (some: number, of: number) =>
  of === 0 ? "–" : percent(Math.min(1, some / of));

/** The share that arrived, in a table; none while no reports say so. */
export const deliveredShare = ({ sent, delivered, bounced, deliveryConfirmed }: Handed) =>
  !deliveryConfirmed && bounced < sent ? "–" : shareOf(delivered, sent);
