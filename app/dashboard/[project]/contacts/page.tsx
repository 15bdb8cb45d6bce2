import { Upload } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AddContact } from "@/components/contacts/add-contact";
import { ContactFilters } from "@/components/contacts/contact-filters";
import { ContactList } from "@/components/contacts/contact-list";
import { ExportContacts } from "@/components/contacts/export-contacts";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listContacts } from "@/lib/domain/contacts/contacts";
import { contactQuery } from "@/lib/domain/contacts/schema";
import { isAppError } from "@/lib/ground/errors";
import { listSegmentNames } from "@/lib/domain/segments/suggest";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Contacts" };

const perPage = 50;

export default async function ContactsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = { ...(await readQuery(contactQuery, searchParams)), limit: perPage };
  const [contacts, segments] = await Promise.all([
    listContacts(context, query),
    listSegmentNames(context),
  ]).catch((error: unknown) => {
    // A cursor of another list, or a segment that went: the list from its start.
    if (isAppError(error) && ["VALIDATION_ERROR", "NOT_FOUND"].includes(error.code)) {
      redirect(`/dashboard/${project.id}/contacts`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Contacts"
        description="The people you write to, and what you know of them."
        actions={
          <>
            <ExportContacts query={query} />
            {context.role !== "viewer" && (
              <LinkButton href={`/dashboard/${project.id}/contacts/import`}>
                <Upload aria-hidden /> Import
              </LinkButton>
            )}
            <AddContact />
          </>
        }
      />
      <ContactFilters query={query} segments={segments} />
      <ContactList key={JSON.stringify(query)} initial={contacts} query={query} />
    </>
  );
}
