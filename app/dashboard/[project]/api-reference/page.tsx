import { FileJson } from "lucide-react";
import type { Metadata } from "next";
import { Contents } from "@/components/reference/contents";
import { buttonClass, LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { apiReference } from "@/lib/doors/http/reference/reference";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("API reference") };
}

export default async function ApiReferencePage({
  params,
}: {
  params: Promise<{ project: string }>;
}) {
  const { project } = await openProject((await params).project);
  return (
    <>
      <PageHeader
        title={t("API reference")}
        description={t("Everything a program can do with an API key.")}
        actions={
          <>
            <a href="/v1/openapi.json" download="openapi.json" className={buttonClass()}>
              <FileJson aria-hidden /> {t("OpenAPI document")}
            </a>
            <LinkButton href={`/dashboard/${project.id}/api-reference/platform`}>
              {t("Platform API")}
            </LinkButton>
            <LinkButton href={`/dashboard/${project.id}/api-keys`}>{t("API keys")}</LinkButton>
            <LinkButton href="/docs/sending">{t("Guides")}</LinkButton>
          </>
        }
      />
      <Contents
        groups={apiReference(openApiDocument())}
        path={`/dashboard/${project.id}/api-reference`}
      />
    </>
  );
}
