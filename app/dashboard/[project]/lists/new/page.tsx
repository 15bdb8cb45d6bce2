import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ListForm } from "@/components/lists/list-form";
import { PageHeader } from "@/components/ui/page-header";
import { countries } from "@/lib/ground/geo/countries";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "New list" };

export default async function NewListPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, context } = await openProject((await params).project);
  if (context.role === "viewer") redirect(`/dashboard/${project.id}/lists`);
  return (
    <>
      <PageHeader
        title="New list"
        back={{ href: `/dashboard/${project.id}/lists`, label: "Lists" }}
      />
      <ListForm countries={countries()} />
    </>
  );
}
