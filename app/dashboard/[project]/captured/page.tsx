import type { Metadata } from "next";
import { CapturedList } from "@/components/captured/captured-list";
import { ClearMailbox } from "@/components/captured/clear-mailbox";
import { SearchFilter } from "@/components/list-page/search-filter";
import { PageHeader } from "@/components/ui/page-header";
import { listCapturedEmails } from "@/lib/domain/emails/captured";
import { capturedQuery } from "@/lib/domain/emails/captured-schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Captured mailbox") };
}

export default async function CapturedPage(props: ListPageProps) {
  const { context, query, rows } = await openListPage(props, {
    path: "captured",
    schema: capturedQuery,
    read: listCapturedEmails,
  });
  const { retention } = await getProjectSettings(context);
  return (
    <>
      <PageHeader
        title={t("Captured mailbox")}
        description={
          t("Mail that was fully processed and then kept here instead of being delivered.") +
          historyEnds(retention.captured)
        }
        actions={rows.data.length > 0 && <ClearMailbox />}
      />
      <SearchFilter
        of={t("Captured messages")}
        label={t("Search by address or subject")}
        value={query.search}
      />
      <CapturedList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
