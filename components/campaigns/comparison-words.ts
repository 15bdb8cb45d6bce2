import { shareBase } from "@/components/ui/delivered-words";
import { percent } from "@/components/ui/numbers";
import type { Comparison } from "@/lib/domain/campaigns/compare-schema";

type Rate = Comparison["rates"][number];

const labels: Record<Rate["rate"], string> = {
  openRate: "Opened",
  clickRate: "Clicked",
  bounceRate: "Bounced",
  unsubscribeRate: "Unsubscribed",
  complaintRate: "Complained",
};

/** A rate and what it is a share of, which differs where only some campaigns have confirmed deliveries. */
export function rateLabel(
  rate: Rate["rate"],
  campaigns: readonly { stats: { deliveryConfirmed: boolean } }[],
): string {
  const bases = new Set(campaigns.map(({ stats }) => shareBase(stats)));
  return `${labels[rate]}, of ${rate === "bounceRate" ? "sent" : [...bases].sort().reverse().join(" or ")}`;
}

/** Whether a difference is real or may be chance, in a few words. */
export function verdictWords(
  { best, clear, probability }: Rate,
  campaigns: readonly { id: string; name: string; stats: { sent: number } }[],
): string {
  if (campaigns.length < 2) return "";
  if (campaigns.some(({ stats }) => stats.sent === 0)) return "Nothing to compare yet";
  if (best === null) return "No difference";
  const name = campaigns.find(({ id }) => id === best)?.name ?? "";
  return clear
    ? `${name} is better, ${probability > 0.999 ? "over 99.9%" : percent(probability)} sure`
    : "The difference may be chance";
}
