import type { Metadata } from "next";
import { EmailView } from "@/components/emails/email-view";
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
  return <EmailView key={email.id} initial={{ email }} />;
}
