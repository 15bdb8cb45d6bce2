import {
  Ban,
  CalendarClock,
  CircleCheck,
  CirclePause,
  CircleX,
  PencilLine,
  Send,
  type LucideIcon,
} from "lucide-react";
import type { CampaignStatus as CampaignState } from "@/db/enums";
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

/** A campaign's status. */
export function CampaignStatus({ status }: { status: CampaignState }) {
  const { tone, icon, word } = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  );
}
