import {
  Ban,
  CalendarClock,
  CircleCheck,
  CirclePause,
  CircleX,
  FlaskConical,
  PencilLine,
  Send,
  type LucideIcon,
} from "lucide-react";
import type { CampaignStatus as CampaignState } from "@/db/enums";
import type { AbTestPhase } from "@/lib/domain/ab-tests/schema";
import { Status, type Tone } from "@/components/ui/status";

const looks: Record<CampaignState, { tone: Tone; icon: LucideIcon; word: string }> = {
  DRAFT: { tone: "neutral", icon: PencilLine, word: "Draft" },
  SCHEDULED: { tone: "info", icon: CalendarClock, word: "Scheduled" },
  SENDING: { tone: "accent", icon: Send, word: "Sending" },
  PAUSED: { tone: "warning", icon: CirclePause, word: "Paused" },
  SENT: { tone: "success", icon: CircleCheck, word: "Sent" },
  CANCELLED: { tone: "neutral", icon: Ban, word: "Cancelled" },
  FAILED: { tone: "danger", icon: CircleX, word: "Failed" },
};

export const campaignWord = (status: CampaignState) => looks[status].word;

/** While it is being sent, by the phase of its A/B test. */
const testWords: Partial<Record<AbTestPhase, string>> = {
  testing: "Testing",
  awaiting_winner: "Awaiting winner",
};

/** A campaign's status. */
export function CampaignStatus({
  status,
  abTestPhase = null,
}: {
  status: CampaignState;
  abTestPhase?: AbTestPhase | null;
}) {
  const { tone, icon, word } = looks[status];
  const testWord = status === "SENDING" && abTestPhase ? testWords[abTestPhase] : undefined;
  return (
    <Status tone={tone} icon={testWord ? FlaskConical : icon}>
      {testWord ?? word}
    </Status>
  );
}
