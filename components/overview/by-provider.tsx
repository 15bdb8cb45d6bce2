"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { ProviderTable } from "@/components/receivers/provider-table";
import { providerBases } from "@/components/ui/delivered-words";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { mostProviderEmails, providerDays } from "@/lib/domain/overview/terms";
import { t } from "@/lib/ground/texts/t";

/** What became of a week's mail at each receiving provider; nothing while none was sent. */
export function ByProvider() {
  const reading = useRead("GET /v1/overview/providers", {}, { every: 120_000, retry: false });
  const { data } = reading;
  const path = useProjectPath();
  if (!data) {
    return <NotUpToDate of={reading} title={t("Figures by provider could not be loaded")} />;
  }
  if (data.providers.length === 0) return null;
  const mail = data.newestOnly
    ? t("The newest {count} emails of the last {days} days that have been sent.", {
        count: count(mostProviderEmails),
        days: providerDays,
      })
    : t("Emails of the last {days} days that have been sent.", { days: providerDays });
  // Since when they were read.
  const startDate = new Date(reading.dataUpdatedAt - providerDays * 86_400_000).toISOString();
  return (
    <div>
      <Section title={t("By receiving provider")} description={`${mail} ${providerBases(data)}`}>
        <ProviderTable
          label={t("By receiving provider")}
          {...data}
          mail={
            data.newestOnly
              ? null
              : (filter) =>
                  path(`emails?${new URLSearchParams({ ...filter, startDate }).toString()}`)
          }
        />
      </Section>
    </div>
  );
}
