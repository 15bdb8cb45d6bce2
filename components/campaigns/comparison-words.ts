import { percent } from "@/components/ui/numbers";
import type { Comparison } from "@/lib/domain/campaigns/compare-schema";

type Rate = Comparison["rates"][number];

export const rateLabels: Record<Rate["rate"], string> = {
  openRate: "Opened, of delivered",
  clickRate: "Clicked, of delivered",
  bounceRate: "Bounced, of sent",
  unsubscribeRate: "Unsubscribed, of delivered",
  complaintRate: "Complained, of delivered",
};

/** Whether a difference is one, or chance, in a few words. */
export function verdictWords(
  { best, clear, probability }: Rate,
  campaigns: readonly { id: string; name: string; stats: { delivered: number } }[],
): string {
  if (campaigns.length < 2) return "";
  if (campaigns.some(({ stats }) => stats.delivered === 0)) return "Nothing to compare yet";
  if (best === null) return "No difference";
  const name = campaigns.find(({ id }) => id === best)?.name ?? "";
  return clear
    ? `${name} is better, ${probability > 0.999 ? "over 99.9%" : percent(probability)} sure`
    : "The difference may be chance";
}
