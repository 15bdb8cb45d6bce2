"use client";

import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { ProviderTable } from "@/components/receivers/provider-table";
import { providerBases } from "@/components/ui/delivered-words";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { mostProviderEmails, providerDays } from "@/lib/domain/overview/schema";

/** What became of a week's mail at each receiving provider; nothing while none was sent. */
export function ByProvider() {
  const reading = useRead("GET /v1/overview/providers", {}, { every: 120_000, retry: false });
  const { data } = reading;
  if (!data) {
    return <NotUpToDate of={reading} title="Figures by provider could not be loaded" />;
  }
  if (data.providers.length === 0) return null;
  const mail = data.newestOnly ? `The newest ${count(mostProviderEmails)} emails` : "Emails";
  return (
    <div>
      <Section
        title="By receiving provider"
        description={`${mail} of the last ${providerDays} days that have been sent. ${providerBases(data)}`}
      >
        <ProviderTable label="By receiving provider" {...data} />
      </Section>
    </div>
  );
}
