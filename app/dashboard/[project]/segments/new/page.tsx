import type { Metadata } from "next";
import { SegmentEditor } from "@/components/segments/segment-editor";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("New segment") };
}

export default async function NewSegmentPage({ params }: { params: Promise<{ project: string }> }) {
  const { context } = await openProject((await params).project);
  return <SegmentEditor initial={null} suggestions={await suggestSegmentFields(context)} />;
}
