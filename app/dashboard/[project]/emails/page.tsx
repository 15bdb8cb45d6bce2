import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EmailFilters } from "@/components/emails/email-filters";
import { EmailList } from "@/components/emails/email-list";
import { PageHeader } from "@/components/ui/page-header";
import { listEmails } from "@/lib/domain/emails/read";
import { emailQuery } from "@/lib/domain/emails/schema";
import { isAppError } from "@/lib/ground/errors";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Emails" };

export default async function EmailsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(emailQuery, searchParams);
  const emails = await listEmails(context, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/emails`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Emails"
        description="Every mail, one line for each recipient: what became of it, and why."
      />
      <EmailFilters query={query} />
      <EmailList key={JSON.stringify(query)} initial={emails} query={query} />
    </>
  );
}
