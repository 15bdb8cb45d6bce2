import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ListForm } from "@/components/lists/list-form";
import { PageHeader } from "@/components/ui/page-header";
import { countries } from "@/lib/ground/geo/countries";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("New list") };
}

export default async function NewListPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, context } = await openProject((await params).project);
  if (context.role === "viewer") redirect(`/dashboard/${project.id}/lists`);
  return (
    <>
      <PageHeader
        title={t("New list")}
        back={{ href: `/dashboard/${project.id}/lists`, label: t("Lists") }}
      />
      <ListForm countries={countries()} />
    </>
  );
}
