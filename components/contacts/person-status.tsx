import {
  Ban,
  CircleDashed,
  CirclePause,
  Flag,
  MailCheck,
  MailX,
  ShieldX,
  type LucideIcon,
} from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { MemberState } from "@/lib/domain/lists/schema";
import { phrases } from "@/lib/ground/texts/t";

const looks: Record<MemberState, { tone: Tone; icon: LucideIcon }> = {
  reachable: { tone: "success", icon: MailCheck },
  unconfirmed: { tone: "info", icon: CircleDashed },
  never_subscribed: { tone: "neutral", icon: CircleDashed },
  unsubscribed: { tone: "neutral", icon: MailX },
  paused: { tone: "neutral", icon: CirclePause },
  hard_bounce: { tone: "danger", icon: Ban },
  complaint: { tone: "danger", icon: Flag },
  manual: { tone: "warning", icon: ShieldX },
  domain: { tone: "warning", icon: ShieldX },
};

/** Every state in the reader's words. */
export const stateWords: Record<MemberState, string> = phrases({
  reachable: "Subscribed",
  unconfirmed: "Not confirmed yet",
  never_subscribed: "Not subscribed",
  unsubscribed: "Unsubscribed",
  paused: "Paused",
  hard_bounce: "Bounced",
  complaint: "Complained",
  manual: "Suppressed",
  domain: "Domain suppressed",
});

/** Whether campaigns reach a person, and if not, why: in the same words wherever a person is shown. */
export function PersonStatus({ state }: { state: MemberState }) {
  const { tone, icon } = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {stateWords[state]}
    </Status>
  );
}
