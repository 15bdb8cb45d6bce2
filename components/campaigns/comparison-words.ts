import { percent } from "@/components/ui/numbers";
import type { Comparison } from "@/lib/domain/campaigns/compare-schema";
import { phrases, t } from "@/lib/ground/texts/t";

type Rate = Comparison["rates"][number];

const labels: Record<Rate["rate"], string> = phrases({
  openRate: "Opened",
  clickRate: "Clicked",
  bounceRate: "Bounced",
  unsubscribeRate: "Unsubscribed",
  complaintRate: "Complained",
});

/** A rate and what it is a share of, which differs where only some campaigns have confirmed deliveries. */
export function rateLabel(
  name: Rate["rate"],
  campaigns: readonly { stats: { deliveryConfirmed: boolean } }[],
): string {
  const rate = labels[name];
  if (name === "bounceRate") return t("{rate}, of sent", { rate });
  const confirmed = campaigns.filter(({ stats }) => stats.deliveryConfirmed).length;
  if (confirmed === 0) return t("{rate}, of accepted", { rate });
  return confirmed === campaigns.length
    ? t("{rate}, of delivered", { rate })
    : t("{rate}, of delivered or accepted", { rate });
}

/** Whether a difference is real or may be chance, in a few words. */
export function verdictWords(
  { best, clear, probability }: Rate,
  campaigns: readonly { id: string; name: string; stats: { sent: number } }[],
): string {
  if (campaigns.length < 2) return "";
  if (campaigns.some(({ stats }) => stats.sent === 0)) return t("Nothing to compare yet");
  if (best === null) return t("No difference");
  const name = campaigns.find(({ id }) => id === best)?.name ?? "";
  if (!clear) return t("The difference may be chance");
  return probability > 0.999
    ? t("{name} is better, over {probability} sure", { name, probability: percent(0.999) })
    : t("{name} is better, {probability} sure", { name, probability: percent(probability) });
}
