import { MailX } from "lucide-react";
import { PersonStatus } from "@/components/contacts/person-status";
import { Status } from "@/components/ui/status";
import type { ListMember } from "@/lib/domain/lists/schema";
import { phrases, t } from "@/lib/ground/texts/t";

/** Every status of a membership in the reader's words. */
export const memberStatuses: Record<ListMember["status"], { label: string }> = phrases({
  subscribed: { label: "Subscribed" },
  unconfirmed: { label: "Not confirmed yet" },
  unsubscribed: { label: "Unsubscribed" },
  bounced: { label: "Bounced" },
  complained: { label: "Complained" },
});

/** Whether the list's mail reaches the person, and if not, why. */
export function SubscriberStatus({ member }: { member: ListMember }) {
  // A suppression outweighs this.
  if (member.status === "subscribed" && member.leftEverything && member.state === "unsubscribed") {
    return (
      <Status tone="warning" icon={MailX}>
        {t("Unsubscribed from all")}
      </Status>
    );
  }
  return <PersonStatus state={member.state} />;
}
