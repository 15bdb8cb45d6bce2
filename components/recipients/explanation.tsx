"use client";

import { useProjectPath } from "@/components/api/project-context";
import { ServerWords } from "@/components/emails/email-timeline";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { ExactTime } from "@/components/ui/relative-time";
import type { RecipientExplanation } from "@/lib/domain/recipients/schema";
import { rich } from "@/components/ui/rich";
import { phrases, t } from "@/lib/ground/texts/t";

const looks: Record<
  RecipientExplanation["outcome"],
  { kind: "success" | "info" | "warning"; title: string }
> = phrases({
  received: { kind: "success", title: "Yes" },
  waiting: { kind: "info", title: "Not yet" },
  not_received: { kind: "warning", title: "No" },
  planned: { kind: "info", title: "Not sent yet" },
});

/** The mail server that it was handed to has it; nobody knows whether they do. */
const unconfirmed = () => ({ kind: "info" as const, title: t("Sent, not confirmed") });

const link = "font-medium underline underline-offset-2";

/** Whether somebody got a campaign, and why or why not. */
export function Explanation({ answer }: { answer: RecipientExplanation }) {
  const path = useProjectPath();
  const { outcome, failedConditions, contact, since, nextAt, serverReply, emailId } = answer;
  const { kind, title } = answer.code === "sent" ? unconfirmed() : looks[outcome];
  const suppressed = answer.code === "suppressed";
  return (
    <Callout kind={kind} title={`${title}: ${contact.email}`} alert>
      {failedConditions.length > 0 ? (
        <>
          <p>{t("They are not in the campaign’s segment.")}</p>
          <ul className="mt-1 list-disc pl-5 wrap-anywhere">
            {failedConditions.map(({ reason }) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      ) : (
        <p className="wrap-anywhere">{answer.reason}</p>
      )}
      {since && (
        <p className="mt-1 text-soft">
          {rich("Since {time}", { time: <ExactTime value={since} seconds={false} /> })}
        </p>
      )}
      {nextAt && (
        <p className="mt-1 text-soft">
          {rich("Due {time}", { time: <ExactTime value={nextAt} seconds={false} /> })}
        </p>
      )}
      {serverReply && <ServerWords text={serverReply} />}
      <p className="mt-1.5 flex flex-wrap gap-x-4">
        <Link href={path(`contacts/${contact.id}`)} className={link}>
          {t("See the contact")}
        </Link>
        {emailId && (
          <Link href={path(`emails/${emailId}`)} className={link}>
            {t("See the email")}
          </Link>
        )}
        {suppressed && (
          <Link
            href={path(`suppressions?search=${encodeURIComponent(contact.email)}`)}
            className={link}
          >
            {t("See the suppression")}
          </Link>
        )}
      </p>
    </Callout>
  );
}
