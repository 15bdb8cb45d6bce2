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
      <PageHeader
        title="Settings"
        description="What the project is called, and who stands behind its mail."
      />
      <ProjectSettings initial={await getProjectSettings(context)} />
    </>
  );
}
