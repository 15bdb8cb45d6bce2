import type { Metadata } from "next";
import { emailColumns, needDetails } from "@/components/emails/columns";
import { EmailFilters } from "@/components/emails/email-filters";
import { EmailList } from "@/components/emails/email-list";
import { SavedViews } from "@/components/saved-views/saved-views";
import { PageHeader } from "@/components/ui/page-header";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { listEmailDetails } from "@/lib/domain/emails/log-details";
import { listEmails } from "@/lib/domain/emails/read";
import { logQuery, type LogQuery } from "@/lib/domain/emails/log-schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import type { Context } from "@/lib/ground/context";
import { t } from "@/lib/ground/texts/t";
import { chosenColumns, openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Emails") };
}

async function listEmailsWith(context: Context, query: LogQuery, withDetails: boolean) {
  const emails = await listEmails(context, query);
  const ids = emails.data.map(({ id }) => id);
  return {
    emails,
    details: withDetails ? { data: await listEmailDetails(context, ids) } : undefined,
  };
}

export default async function EmailsPage(props: ListPageProps) {
  const columns = await chosenColumns(emailColumns);
  const { context, query, rows } = await openListPage(props, {
    path: "emails",
    schema: logQuery,
    read: (context, query) =>
      Promise.all([
        listEmailsWith(context, query, needDetails(columns)),
        listSavedViews(context, { page: "emails" }),
      ]),
  });
  const [{ emails, details }, views] = rows;
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
      <EmailFilters
        query={query}
        views={views}
        campaign={campaign?.name ?? null}
        columns={columns}
      />
      <EmailList
        key={JSON.stringify(query)}
        initial={emails}
        query={query}
        columns={columns}
        initialDetails={details}
      />
    </>
  );
}
