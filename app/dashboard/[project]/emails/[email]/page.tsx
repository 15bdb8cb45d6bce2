import type { Metadata } from "next";
import { ReceivedMail } from "@/components/inbound/received-mail";
import { EmailView } from "@/components/emails/email-view";
import { listInbound } from "@/lib/domain/inbound/read";
import { getEmail } from "@/lib/domain/emails/read";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { eventsEnd } from "@/lib/domain/retention/words";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Email") };
}

export default async function EmailPage({
  params,
}: {
  params: Promise<{ project: string; email: string }>;
}) {
  const { project, email: id } = await params;
  const { context } = await openProject(project);
  const email = await foundOr404(getEmail(context, id));
  const [answers, { retention }] = await Promise.all([
    listInbound(context, { emailId: email.id, limit: 20 }),
    getProjectSettings(context),
  ]);
  return (
    <EmailView
      key={email.id}
      initial={{ email }}
      history={eventsEnd(retention)}
      answers={<ReceivedMail title={t("Answers")} of={{ emailId: email.id }} initial={answers} />}
    />
  );
}
