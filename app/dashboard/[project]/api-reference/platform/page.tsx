import { FileJson } from "lucide-react";
import type { Metadata } from "next";
import { Contents } from "@/components/reference/contents";
import { buttonClass, LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { apiReference } from "@/lib/doors/http/reference/reference";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Platform API reference") };
}

export default async function PlatformReferencePage({
  params,
}: {
  params: Promise<{ project: string }>;
}) {
  const { project } = await openProject((await params).project);
  return (
    <>
      <PageHeader
        title={t("Platform API reference")}
        description={t(
          "Lists, subscribers, campaigns and files, for programs that pass a token in the query string. The curl commands read yours from the environment: export LETTERMILL_API_TOKEN=…",
        )}
        actions={
          <>
            <a
              href="/api/v1/openapi.json"
              download="platform-openapi.json"
              className={buttonClass()}
            >
              <FileJson aria-hidden /> {t("OpenAPI document")}
            </a>
            <LinkButton href={`/dashboard/${project.id}/api-reference`}>
              {t("API reference")}
            </LinkButton>
            <LinkButton href={`/dashboard/${project.id}/api-keys`}>{t("API token")}</LinkButton>
          </>
        }
      />
      <Contents
        groups={apiReference(platformDocument(), "token")}
        path={`/dashboard/${project.id}/api-reference/platform`}
      />
    </>
  );
}
