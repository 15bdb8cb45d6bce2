import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { SearchFilter } from "@/components/list-page/search-filter";
import { SegmentList } from "@/components/segments/segment-list";
import { SunsetCard } from "@/components/segments/sunset-card";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { segmentListQuery } from "@/lib/domain/segments/schema";
import { listSegments } from "@/lib/domain/segments/segments";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Segments") };
}

export default async function SegmentsPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "segments",
    schema: segmentListQuery,
    read: (context, query) =>
      Promise.all([listSegments(context, query), suggestSegmentFields(context)]),
  });
  const [segments, { fields }] = rows;
  return (
    <>
      <PageHeader
        title={t("Segments")}
        description={t("Groups of contacts who match your conditions, always up to date.")}
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/segments/new`} variant="primary">
              <Plus aria-hidden /> {t("Create segment")}
            </LinkButton>
          )
        }
      />
      <SearchFilter of={t("Segments")} value={query.search} />
      <SegmentList
        key={JSON.stringify(query)}
        initial={segments}
        query={query}
        fields={fields.filter(({ kind }) => kind === "list" || kind === "outcome")}
      />
      {query.search === undefined && <SunsetCard />}
    </>
  );
}
