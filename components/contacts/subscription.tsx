import { MailCheck, MailX } from "lucide-react";
import { Status } from "@/components/ui/status";

/** Whether campaigns reach the person. */
export function Subscription({ subscribed }: { subscribed: boolean }) {
  return subscribed ? (
    <Status tone="success" icon={MailCheck}>
      Subscribed
    </Status>
  ) : (
    <Status tone="neutral" icon={MailX}>
      Not subscribed
    </Status>
  );
}
