import {
  CheckCheck,
  CircleX,
  Clock,
  MailOpen,
  MailX,
  MousePointerClick,
  Send,
  ThumbsDown,
  type LucideIcon,
} from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { EmailStatus as EmailState } from "@/db/enums";
import type { PublicEmailSource } from "@/lib/domain/emails/schema";

const looks: Record<EmailState, { tone: Tone; icon: LucideIcon; word: string }> = {
  PENDING: { tone: "neutral", icon: Clock, word: "Pending" },
  SENT: { tone: "info", icon: Send, word: "Sent" },
  DELIVERED: { tone: "success", icon: CheckCheck, word: "Delivered" },
  OPENED: { tone: "success", icon: MailOpen, word: "Opened" },
  CLICKED: { tone: "success", icon: MousePointerClick, word: "Clicked" },
  BOUNCED: { tone: "danger", icon: MailX, word: "Bounced" },
  COMPLAINED: { tone: "danger", icon: ThumbsDown, word: "Complained" },
  FAILED: { tone: "warning", icon: CircleX, word: "Failed" },
};

export const sourceWords: Record<PublicEmailSource, string> = {
  TRANSACTIONAL: "Transactional",
  CAMPAIGN: "Campaign",
  WORKFLOW: "List",
};

export function statusWord(status: EmailState): string {
  return looks[status].word;
}

/** How far an email has come. */
export function EmailStatus({ status }: { status: EmailState }) {
  const { tone, icon, word } = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  );
}
