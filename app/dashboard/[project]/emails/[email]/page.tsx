import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EmailView } from "@/components/emails/email-view";
import { getEmail } from "@/lib/domain/emails/read";
import { isAppError } from "@/lib/ground/errors";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Email" };

export default async function EmailPage({
  params,
}: {
  params: Promise<{ project: string; email: string }>;
}) {
  const { project, email } = await params;
  const { context } = await openProject(project);
  const found = await getEmail(context, email).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return <EmailView initial={found} />;
}
