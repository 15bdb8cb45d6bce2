import type { Metadata } from "next";
import { SegmentEditor } from "@/components/segments/segment-editor";
import { getSegment } from "@/lib/domain/segments/segments";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Segment") };
}

export default async function SegmentPage({
  params,
}: {
  params: Promise<{ project: string; segment: string }>;
}) {
  const { project, segment } = await params;
  const { context } = await openProject(project);
  const [saved, suggestions] = await Promise.all([
    foundOr404(getSegment(context, segment)),
    suggestSegmentFields(context),
  ]);
  return <SegmentEditor key={saved.id} initial={saved} suggestions={suggestions} />;
}
