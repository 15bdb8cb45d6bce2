import type { SuppressionReason } from "@/db/enums";
import { phrases } from "@/lib/ground/texts/t";

/** Why nothing is sent to an address, in words. */
export const reasonWords: Record<SuppressionReason, string> = phrases({
  hard_bounce: "Bounced",
  complaint: "Reported spam",
  manual: "Added by hand",
  domain: "Whole domain",
});

export const reasonTones = {
  hard_bounce: "danger",
  complaint: "danger",
  manual: "neutral",
  domain: "neutral",
} as const satisfies Record<SuppressionReason, string>;

export const reasonOptions = () =>
  Object.entries(reasonWords).map(([value, label]) => ({ value, label }));
