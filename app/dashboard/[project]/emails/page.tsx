import type { Metadata } from "next";
import { EmailFilters } from "@/components/emails/email-filters";
import { EmailList } from "@/components/emails/email-list";
import { SavedViews } from "@/components/saved-views/saved-views";
import { PageHeader } from "@/components/ui/page-header";
import { listEmails } from "@/lib/domain/emails/read";
import { emailQuery } from "@/lib/domain/emails/schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import { openListPage, type ListPageProps } from "../../list-page";

export const metadata: Metadata = { title: "Emails" };

export default async function EmailsPage(props: ListPageProps) {
  const { context, query, rows } = await openListPage(props, {
    path: "emails",
    schema: emailQuery,
    read: (context, query) =>
      Promise.all([listEmails(context, query), listSavedViews(context, { page: "emails" })]),
  });
  const [emails, views] = rows;
  const { retention } = await getProjectSettings(context);
  return (
    <>
      <PageHeader
        title="Emails"
        description={`Every email you sent, one row per recipient: what happened to it, and why.${historyEnds(retention.emails)}`}
      />
      <SavedViews page="emails" query={query} initial={views} />
      <EmailFilters query={query} views={views} />
      <EmailList key={JSON.stringify(query)} initial={emails} query={query} />
    </>
  );
}
