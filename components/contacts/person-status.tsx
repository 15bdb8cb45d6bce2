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

const looks: Record<MemberState, { word: string; tone: Tone; icon: LucideIcon }> = {
  reachable: { word: "Subscribed", tone: "success", icon: MailCheck },
  unconfirmed: { word: "Not confirmed yet", tone: "info", icon: CircleDashed },
  never_subscribed: { word: "Not subscribed", tone: "neutral", icon: CircleDashed },
  unsubscribed: { word: "Unsubscribed", tone: "neutral", icon: MailX },
  paused: { word: "Paused", tone: "neutral", icon: CirclePause },
  hard_bounce: { word: "Bounced", tone: "danger", icon: Ban },
  complaint: { word: "Complained", tone: "danger", icon: Flag },
  manual: { word: "Suppressed", tone: "warning", icon: ShieldX },
  domain: { word: "Domain suppressed", tone: "warning", icon: ShieldX },
};

/** Whether campaigns reach a person, and if not, why: in the same words wherever a person is shown. */
export function PersonStatus({ state }: { state: MemberState }) {
  const { word, tone, icon } = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  );
}
