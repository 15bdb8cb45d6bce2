import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SegmentEditor } from "@/components/segments/segment-editor";
import { isAppError } from "@/lib/ground/errors";
import { getSegment } from "@/lib/domain/segments/segments";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Segment" };

export default async function SegmentPage({
  params,
}: {
  params: Promise<{ project: string; segment: string }>;
}) {
  const { project, segment } = await params;
  const { context } = await openProject(project);
  const [found, suggestions] = await Promise.all([
    getSegment(context, segment).catch((error: unknown) => {
      if (isAppError(error) && error.code === "NOT_FOUND") notFound();
      throw error;
    }),
    suggestSegmentFields(context),
  ]);
  return <SegmentEditor key={found.id} initial={found} suggestions={suggestions} />;
}
