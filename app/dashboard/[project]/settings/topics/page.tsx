import type { Metadata } from "next";
import { TopicList } from "@/components/settings/topic-list";
import { PageHeader } from "@/components/ui/page-header";
import { listTopics } from "@/lib/domain/topics/topics";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Topics") };
}

export default async function TopicsPage({ params }: { params: Promise<{ project: string }> }) {
  const id = (await params).project;
  const { context } = await openProject(id);
  return (
    <>
      <PageHeader
        title={t("Topics")}
        back={{ href: `/dashboard/${id}/settings`, label: t("Settings") }}
        description={t(
          "What you write about. Campaigns carry a topic, and people leave topics one by one on their preference page.",
        )}
      />
      <TopicList initial={await listTopics(context)} />
    </>
  );
}
