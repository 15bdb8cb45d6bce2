import type { Metadata } from "next";
import { ExportConsent } from "@/components/contacts/export-contacts";
import { DeparturesView } from "@/components/departures/departures-view";
import { PageHeader } from "@/components/ui/page-header";
import { PeriodTabs } from "@/components/ui/period-tabs";
import { getDepartures } from "@/lib/domain/departures/departures";
import { departurePageQuery, firstDayOf } from "@/lib/domain/departures/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";

const periods = phrases([
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
  { value: "365d", label: "A year" },
]);

export function generateMetadata(): Metadata {
  return { title: t("Who leaves") };
}

export default async function DeparturesPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const { range } = await readQuery(departurePageQuery, searchParams);
  const startDate = firstDayOf(range);
  const path = `/dashboard/${project.id}/contacts`;
  return (
    <>
      <PageHeader
        back={{ href: path, label: t("Contacts") }}
        title={t("Who leaves")}
        description={t(
          "Where people unsubscribe, and what they say about it. Somebody who leaves a list, and everything later, leaves twice.",
        )}
        actions={
          <>
            <PeriodTabs
              periods={periods.map(({ value, label }) => ({
                label,
                href: `${path}/departures?range=${value}`,
                current: value === range,
              }))}
            />
            <ExportConsent />
          </>
        }
      />
      <DeparturesView
        key={range}
        startDate={startDate}
        initial={await getDepartures(context, { startDate })}
      />
    </>
  );
}
