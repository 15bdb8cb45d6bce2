import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { OperationPage } from "@/components/reference/operation-page";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { apiReference, findOperation } from "@/lib/doors/http/reference/reference";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../../session";

interface Props {
  params: Promise<{ project: string; operation: string }>;
}

const find = (name: string) => findOperation(apiReference(platformDocument(), "token"), name);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = find((await params).operation);
  return { title: found?.operation.summary ?? t("Platform API reference") };
}

export default async function PlatformOperationPage({ params }: Props) {
  const { project: id, operation } = await params;
  const { project } = await openProject(id);
  const found = find(operation);
  if (!found) notFound();
  return (
    <OperationPage
      found={found}
      reference={{
        href: `/dashboard/${project.id}/api-reference/platform`,
        label: t("Platform API reference"),
      }}
      withKey={false}
    />
  );
}
