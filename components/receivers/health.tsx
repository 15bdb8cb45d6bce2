import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { Verdict } from "@/lib/domain/receivers/provider-figures-schema";

const looks = {
  healthy: { tone: "success", icon: CircleCheck, word: "Healthy" },
  high: { tone: "warning", icon: TriangleAlert, word: "High" },
  tooHigh: { tone: "danger", icon: OctagonX, word: "Too high" },
} as const;

/** How mailbox providers judge a rate; `over` names the period it covers. */
export function Health({ verdict, over }: { verdict: Verdict; over?: string }) {
  const { tone, icon, word } = looks[verdict];
  return (
    <Status tone={tone} icon={icon}>
      {over ? `${word} over ${over}` : word}
    </Status>
  );
}
