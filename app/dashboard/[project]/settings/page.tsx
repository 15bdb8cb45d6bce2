import type { Metadata } from "next";
import { ProjectSettings } from "@/components/settings/project-settings";
import { PageHeader } from "@/components/ui/page-header";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage({ params }: { params: Promise<{ project: string }> }) {
  const { context } = await openProject((await params).project);
  return (
    <>
      <PageHeader title="Settings" description="The project’s name, and who its mail is from." />
      <ProjectSettings initial={await getProjectSettings(context)} />
    </>
  );
}
