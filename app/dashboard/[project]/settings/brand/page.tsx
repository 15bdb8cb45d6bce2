import type { Metadata } from "next";
import { BrandSettings } from "@/components/settings/brand-settings";
import { PageHeader } from "@/components/ui/page-header";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Brand") };
}

export default async function BrandPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, context } = await openProject((await params).project);
  return (
    <>
      <PageHeader
        title={t("Brand")}
        description={t(
          "What new emails begin with in the visual editor, and how confirmations and other mails in your name look. Emails that are already written stay as they are.",
        )}
        back={{ href: `/dashboard/${project.id}/settings`, label: t("Settings") }}
      />
      <BrandSettings initial={await getProjectSettings(context)} />
    </>
  );
}
