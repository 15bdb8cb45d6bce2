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
import type { PublicEmailSource } from "@/lib/domain/emails/terms";
import { phrases } from "@/lib/ground/texts/t";

const looks: Record<EmailState, { tone: Tone; icon: LucideIcon }> = {
  PENDING: { tone: "neutral", icon: Clock },
  SENT: { tone: "info", icon: Send },
  DELIVERED: { tone: "success", icon: CheckCheck },
  OPENED: { tone: "success", icon: MailOpen },
  CLICKED: { tone: "success", icon: MousePointerClick },
  BOUNCED: { tone: "danger", icon: MailX },
  COMPLAINED: { tone: "danger", icon: ThumbsDown },
  FAILED: { tone: "warning", icon: CircleX },
};

export const statusWords: Record<EmailState, string> = phrases({
  PENDING: "Pending",
  SENT: "Sent",
  DELIVERED: "Delivered",
  OPENED: "Opened",
  CLICKED: "Clicked",
  BOUNCED: "Bounced",
  COMPLAINED: "Complained",
  FAILED: "Failed",
});

export const sourceWords: Record<PublicEmailSource, string> = phrases({
  TRANSACTIONAL: "Transactional",
  CAMPAIGN: "Campaign",
  WORKFLOW: "List",
});

/** How far an email has come. */
export function EmailStatus({ status }: { status: EmailState }) {
  const { tone, icon } = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {statusWords[status]}
    </Status>
  );
}
