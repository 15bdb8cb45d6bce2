import type { Metadata } from "next";
import { EmailFilters } from "@/components/emails/email-filters";
import { EmailList } from "@/components/emails/email-list";
import { SavedViews } from "@/components/saved-views/saved-views";
import { PageHeader } from "@/components/ui/page-header";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { listEmails } from "@/lib/domain/emails/read";
import { logQuery } from "@/lib/domain/emails/log-schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Emails") };
}

export default async function EmailsPage(props: ListPageProps) {
  const { context, query, rows } = await openListPage(props, {
    path: "emails",
    schema: logQuery,
    read: (context, query) =>
      Promise.all([listEmails(context, query), listSavedViews(context, { page: "emails" })]),
  });
  const [emails, views] = rows;
  const [{ retention }, campaign] = await Promise.all([
    getProjectSettings(context),
    query.campaignId === undefined ? null : getCampaign(context, query.campaignId),
  ]);
  return (
    <>
      <PageHeader
        title={t("Emails")}
        description={
          t("Every email you sent, one row per recipient: what happened to it, and why.") +
          historyEnds(retention.emails)
        }
      />
      <SavedViews page="emails" query={query} initial={views} />
      <EmailFilters query={query} views={views} campaign={campaign?.name ?? null} />
      <EmailList key={JSON.stringify(query)} initial={emails} query={query} />
    </>
  );
}
