import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ContactView } from "@/components/contacts/contact-view";
import { getContact } from "@/lib/domain/contacts/contacts";
import { listEmails } from "@/lib/domain/emails/read";
import { isAppError } from "@/lib/ground/errors";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Contact" };

export default async function ContactPage({
  params,
}: {
  params: Promise<{ project: string; contact: string }>;
}) {
  const { project, contact } = await params;
  const { context } = await openProject(project);
  const found = await getContact(context, decodeURIComponent(contact)).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  const emails = await listEmails(context, { search: found.email, limit: 20 });
  return <ContactView key={found.id} initial={found} emails={emails} />;
}
