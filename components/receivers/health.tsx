import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { Verdict } from "@/lib/domain/receivers/provider-figures-schema";
import { phrases, t } from "@/lib/ground/texts/t";

const looks = {
  healthy: { tone: "success", icon: CircleCheck },
  high: { tone: "warning", icon: TriangleAlert },
  tooHigh: { tone: "danger", icon: OctagonX },
} as const;
const words = phrases({ healthy: "Healthy", high: "High", tooHigh: "Too high" });

/** How mailbox providers judge a rate; `over` names the period it covers. */
export function Health({ verdict, over }: { verdict: Verdict; over?: string }) {
  const word = words[verdict];
  return (
    <Status {...looks[verdict]}>
      {over ? t("{verdict} over {period}", { verdict: word, period: over }) : word}
    </Status>
  );
}
