import type { Metadata } from "next";
import { SegmentEditor } from "@/components/segments/segment-editor";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "New segment" };

export default async function NewSegmentPage({ params }: { params: Promise<{ project: string }> }) {
  const { context } = await openProject((await params).project);
  return <SegmentEditor initial={null} suggestions={await suggestSegmentFields(context)} />;
}
