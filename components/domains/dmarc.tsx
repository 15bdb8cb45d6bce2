"use client";

import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { type Bar, type Bucket } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Callout } from "@/components/ui/callout";
import { ErrorState } from "@/components/ui/error-state";
import { CopyButton } from "@/components/ui/copy-button";
import { percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import type { Dmarc } from "@/lib/domain/domain-reports/schema";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { DmarcSources } from "./dmarc-sources";
import { everyDay } from "./every-day";
import { TlsReports } from "./tls-reports";

type DayKey = "aligned" | "unaligned";

const bars = (): readonly Bar<DayKey>[] => [
  { key: "aligned", label: t("Aligned"), swatch: "bg-ink" },
  { key: "unaligned", label: t("Not aligned"), swatch: "bg-accent" },
];

const shownDays = 30;

const kindOf: Partial<Record<Dmarc["advice"][number]["code"], "success" | "warning">> = {
  well: "success",
  go_to_quarantine: "success",
  go_to_reject: "success",
  ours_unaligned: "warning",
  unaligned_source: "warning",
};

const bucketsOf = ({ days, period }: Dmarc): Bucket<DayKey>[] =>
  everyDay(period, days, { aligned: 0, unaligned: 0 });

/** Who sends in a domain's name, as receivers report it, and what to do about it. */
export function DomainDmarc({ domain }: { domain: Domain }) {
  const reading = useRead(
    "GET /v1/domains/{id}/dmarc",
    { params: { id: domain.id }, query: { days: shownDays } },
    { every: 300_000 },
  );
  const seen = reading.data;
  return (
    <Section
      title={t("Who sends in your name")}
      description={t(
        "Receivers such as Gmail, Outlook and Yahoo report each day which servers sent mail with your domain as its sender, and whether DKIM or SPF proved it to be yours (aligned).",
      )}
    >
      {seen ? (
        <>
          <NotUpToDate of={reading} title={t("These reports are out of date")} />
          <Reported dmarc={seen} />
        </>
      ) : reading.isError ? (
        <ErrorState
          title={t("The reports could not be read")}
          message={messageOf(reading.error)}
          onRetry={() => void reading.refetch()}
          retrying={reading.isFetching}
        />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Section>
  );
}

function Reported({ dmarc }: { dmarc: Dmarc }) {
  const { totals, period, reporting, advice } = dmarc;
  return (
    <div className="mt-4 flex flex-col gap-6">
      <ul className="flex flex-col gap-2">
        {advice.map(({ code, message }, index) => (
          <li key={index}>
            <Callout kind={kindOf[code] ?? "info"}>{message}</Callout>
          </li>
        ))}
      </ul>
      {!reporting.published && <Publish reporting={reporting} />}
      {totals.messages > 0 && (
        <>
          <ChartFigure
            title={t("Mail in your name by day")}
            description={t(
              "{messages, plural, one {# mail} other {# mails}} in {reports, plural, one {# report} other {# reports}}, {share} aligned. UTC days.",
              {
                messages: totals.messages,
                reports: period.reports,
                share: percent(totals.aligned / totals.messages),
              },
            )}
            unit={t("Emails")}
            bars={bars()}
            buckets={bucketsOf(dmarc)}
            width="day"
            stacked
            empty={t("No mail was reported.")}
          />
          <DmarcSources dmarc={dmarc} />
        </>
      )}
      <TlsReports tls={dmarc.tls} period={period} />
    </div>
  );
}

function Value({ text, what }: { text: string; what: string }) {
  return (
    <p className="flex items-start justify-between gap-2 font-mono text-xs leading-4.5">
      <span className="py-1.5 wrap-anywhere">{text}</span>
      <CopyButton text={text} what={what} />
    </p>
  );
}

/** The record to publish while nobody is asked to report. */
function Publish({ reporting: { record, elsewhere } }: { reporting: Dmarc["reporting"] }) {
  return (
    <div className="text-sm">
      <div className="rounded-md border border-rule bg-sheet px-3 py-1">
        <Value text={record.name} what={t("DMARC record name")} />
        <Value text={record.value} what={t("DMARC record with the report address")} />
      </div>
      <p className="mt-2 max-w-2xl text-soft">
        {t(
          "The address takes reports of this domain alone. It needs the return path record above, which brings them here.",
        )}
      </p>
      <details className="mt-2 max-w-2xl text-soft">
        <summary className="cursor-pointer">
          {t("If you cannot publish the return path record")}
        </summary>
        <p className="mt-1">
          {rich(
            "Use <code>mailto:{address}</code> instead. Because that host is not part of your domain, receivers report to it only if whoever runs this installation authorizes it with a TXT record <code>{record}</code> with the value <code>{value}</code>",
            {
              address: elsewhere.address,
              record: elsewhere.authorization.name,
              value: elsewhere.authorization.value,
              code: (words) => <span className="font-mono text-xs wrap-anywhere">{words}</span>,
            },
          )}
        </p>
      </details>
    </div>
  );
}
