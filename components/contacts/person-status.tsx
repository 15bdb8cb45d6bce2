import { Ban, CircleDashed, Flag, MailCheck, MailX, ShieldX, type LucideIcon } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { ContactState } from "@/lib/domain/contact-states/schema";

const looks: Record<ContactState, { word: string; tone: Tone; icon: LucideIcon }> = {
  reachable: { word: "Subscribed", tone: "success", icon: MailCheck },
  never_subscribed: { word: "Not subscribed", tone: "neutral", icon: CircleDashed },
  unsubscribed: { word: "Unsubscribed", tone: "neutral", icon: MailX },
  hard_bounce: { word: "Bounced", tone: "danger", icon: Ban },
  complaint: { word: "Complained", tone: "danger", icon: Flag },
  manual: { word: "Suppressed", tone: "warning", icon: ShieldX },
};

/** Whether campaigns reach a person, and if not, why: in the same words wherever a person is shown. */
export function PersonStatus({ state }: { state: ContactState }) {
  const { word, tone, icon } = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  );
}
