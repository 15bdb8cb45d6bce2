import type { Metadata } from "next";
import { AuditFilters } from "@/components/audit/audit-filters";
import { AuditList } from "@/components/audit/audit-list";
import { ExportLink } from "@/components/exports/export-link";
import { isFiltered, pageHref } from "@/components/list-page/filters";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import { listAuditActors, listAuditEntries } from "@/lib/domain/audit/read";
import { auditQuery } from "@/lib/domain/audit/schema";
import { auditChoices } from "@/lib/domain/audit/sentences";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../../list-page";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Audit log") };
}

const rowsOnAPage = 50;

export default async function AuditPage(props: ListPageProps) {
  const { project } = await openProject((await props.params).project);
  const back = { href: `/dashboard/${project.id}/settings`, label: t("Settings") };
  const description = t(
    "Who did what in this project, when and from where: sign-ins, keys, exports and every change.",
  );
  if (project.role !== "admin" && project.role !== "owner") {
    return (
      <>
        <PageHeader title={t("Audit log")} description={description} back={back} />
        <Callout kind="info">{t("Only admins and owners can read the audit log.")}</Callout>
      </>
    );
  }
  const { context, query, rows } = await openListPage(props, {
    path: "settings/audit",
    schema: auditQuery,
    limit: rowsOnAPage,
    read: listAuditEntries,
  });
  const [actors, { retention }] = await Promise.all([
    listAuditActors(context),
    getProjectSettings(context),
  ]);
  return (
    <>
      <PageHeader
        title={t("Audit log")}
        description={description + historyEnds(retention.audit)}
        back={back}
        actions={
          <ExportLink path={pageHref("/v1/audit/export", query)} filename="audit-log.csv">
            {isFiltered(query) ? t("Export these") : t("Export all")}
          </ExportLink>
        }
      />
      <AuditFilters query={query} actions={auditChoices} actors={actors.data} />
      <AuditList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
