import type { Metadata } from "next";
import { ReceivedMail } from "@/components/inbound/received-mail";
import { EmailView } from "@/components/emails/email-view";
import { listInbound } from "@/lib/domain/inbound/read";
import { getEmail } from "@/lib/domain/emails/read";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Email" };

export default async function EmailPage({
  params,
}: {
  params: Promise<{ project: string; email: string }>;
}) {
  const { project, email: id } = await params;
  const { context } = await openProject(project);
  const email = await foundOr404(getEmail(context, id));
  const answers = await listInbound(context, { emailId: email.id, limit: 20 });
  return (
    <EmailView
      key={email.id}
      initial={{ email }}
      answers={<ReceivedMail title="Answers" of={{ emailId: email.id }} initial={answers} />}
    />
  );
}
