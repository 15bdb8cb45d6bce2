import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SegmentList } from "@/components/segments/segment-list";
import { SegmentSearch } from "@/components/segments/segment-search";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/lib/ground/errors";
import { segmentQuery } from "@/lib/domain/segments/schema";
import { listSegments } from "@/lib/domain/segments/segments";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Segments" };

export default async function SegmentsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(segmentQuery, searchParams);
  const [segments, { fields }] = await Promise.all([
    listSegments(context, query).catch((error: unknown) => {
      // A cursor of another list.
      if (isAppError(error) && error.code === "VALIDATION_ERROR") {
        redirect(`/dashboard/${project.id}/segments`);
      }
      throw error;
    }),
    suggestSegmentFields(context),
  ]);
  return (
    <>
      <PageHeader
        title="Segments"
        description="Choices of contacts by what is known of them, always up to date."
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/segments/new`} variant="primary">
              <Plus aria-hidden /> Create segment
            </LinkButton>
          )
        }
      />
      <SegmentSearch query={query} />
      <SegmentList
        key={JSON.stringify(query)}
        initial={segments}
        query={query}
        fields={fields.filter(({ kind }) => kind === "list" || kind === "outcome")}
      />
    </>
  );
}
