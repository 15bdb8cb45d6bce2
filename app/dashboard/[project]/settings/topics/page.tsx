import type { Metadata } from "next";
import { TopicList } from "@/components/settings/topic-list";
import { PageHeader } from "@/components/ui/page-header";
import { listTopics } from "@/lib/domain/topics/topics";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Topics" };

export default async function TopicsPage({ params }: { params: Promise<{ project: string }> }) {
  const id = (await params).project;
  const { context } = await openProject(id);
  return (
    <>
      <PageHeader
        title="Topics"
        back={{ href: `/dashboard/${id}/settings`, label: "Settings" }}
        description="What you write about. Campaigns carry a topic, and people leave topics one by one on their preference page."
      />
      <TopicList initial={await listTopics(context)} />
    </>
  );
}
