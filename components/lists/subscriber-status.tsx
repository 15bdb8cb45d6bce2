import { Ban, CircleDashed, Flag, MailCheck, MailX, type LucideIcon } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { ListMember } from "@/lib/domain/lists/schema";

type MemberStatus = ListMember["status"];

/** Every status of a membership in the reader's words. */
export const memberStatuses: Record<MemberStatus, { label: string; tone: Tone; icon: LucideIcon }> =
  {
    subscribed: { label: "Subscribed", tone: "success", icon: MailCheck },
    unconfirmed: { label: "Not confirmed yet", tone: "info", icon: CircleDashed },
    unsubscribed: { label: "Unsubscribed", tone: "neutral", icon: MailX },
    bounced: { label: "Bounced", tone: "danger", icon: Ban },
    complained: { label: "Complained", tone: "danger", icon: Flag },
  };

/** Whether the list's mail reaches the person, and if not, why. */
export function SubscriberStatus({ member }: { member: ListMember }) {
  const { label, tone, icon } = memberStatuses[member.status];
  if (member.status === "subscribed" && member.leftEverything) {
    return (
      <Status tone="warning" icon={MailX}>
        Unsubscribed from all
      </Status>
    );
  }
  return (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  );
}
