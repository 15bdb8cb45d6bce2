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
import { phrases } from "@/lib/ground/texts/t";

const looks: Record<CampaignState, { tone: Tone; icon: LucideIcon }> = {
  DRAFT: { tone: "neutral", icon: PencilLine },
  SCHEDULED: { tone: "info", icon: CalendarClock },
  SENDING: { tone: "accent", icon: Send },
  PAUSED: { tone: "warning", icon: CirclePause },
  SENT: { tone: "success", icon: CircleCheck },
  CANCELLED: { tone: "neutral", icon: Ban },
  FAILED: { tone: "danger", icon: CircleX },
};

const words: Record<CampaignState, string> = phrases({
  DRAFT: "Draft",
  SCHEDULED: "Scheduled",
  SENDING: "Sending",
  PAUSED: "Paused",
  SENT: "Sent",
  CANCELLED: "Cancelled",
  FAILED: "Failed",
});

export const mayCancel = (status: CampaignState) =>
  ["SCHEDULED", "SENDING", "PAUSED"].includes(status);
export const mayDelete = (status: CampaignState) => status === "DRAFT" || status === "CANCELLED";

export const campaignWord = (status: CampaignState) => words[status];

/** While it is being sent, by the phase of its A/B test. */
const testWords: Partial<Record<AbTestPhase, string>> = phrases({
  testing: "Testing",
  awaiting_winner: "Awaiting winner",
});

/** A campaign's status. */
export function CampaignStatus({
  status,
  abTestPhase = null,
}: {
  status: CampaignState;
  abTestPhase?: AbTestPhase | null;
}) {
  const { tone, icon } = looks[status];
  const testWord = status === "SENDING" && abTestPhase ? testWords[abTestPhase] : undefined;
  return (
    <Status tone={tone} icon={testWord ? FlaskConical : icon}>
      {testWord ?? words[status]}
    </Status>
  );
}
