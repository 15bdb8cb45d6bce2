import { DoorOpen, Upload } from "lucide-react";
import type { Metadata } from "next";
import { AddContact } from "@/components/contacts/add-contact";
import { contactColumns } from "@/components/contacts/columns";
import { ContactFilters } from "@/components/contacts/contact-filters";
import { ContactList } from "@/components/contacts/contact-list";
import { ExportContacts } from "@/components/contacts/export-contacts";
import { SavedViews } from "@/components/saved-views/saved-views";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listContacts } from "@/lib/domain/contacts/contacts";
import { contactListQuery } from "@/lib/domain/contacts/list-schema";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import { listSegmentNames } from "@/lib/domain/segments/suggest";
import { t } from "@/lib/ground/texts/t";
import { chosenColumns, openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Contacts") };
}

export default async function ContactsPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "contacts",
    schema: contactListQuery,
    limit: 50,
    read: (context, query) =>
      Promise.all([
        listContacts(context, query),
        listSegmentNames(context),
        listSavedViews(context, { page: "contacts" }),
      ]),
  });
  const [contacts, segments, views] = rows;
  const columns = await chosenColumns(contactColumns);
  return (
    <>
      <PageHeader
        title={t("Contacts")}
        description={t("The people you write to, and what you know about them.")}
        actions={
          <>
            <LinkButton href={`/dashboard/${project.id}/contacts/departures`}>
              <DoorOpen aria-hidden /> {t("Who leaves")}
            </LinkButton>
            <ExportContacts query={query} />
            {context.role !== "viewer" && (
              <LinkButton href={`/dashboard/${project.id}/contacts/import`}>
                <Upload aria-hidden /> {t("Import")}
              </LinkButton>
            )}
            <AddContact />
          </>
        }
      />
      <SavedViews page="contacts" query={query} initial={views} />
      <ContactFilters query={query} views={views} segments={segments} columns={columns} />
      <ContactList key={JSON.stringify(query)} initial={contacts} query={query} columns={columns} />
    </>
  );
}
