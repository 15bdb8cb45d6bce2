"use client";

import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { type Bar, type Bucket } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Callout } from "@/components/ui/callout";
import { ErrorState } from "@/components/ui/error-state";
import { CopyButton } from "@/components/ui/copy-button";
import { counted, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import type { Dmarc } from "@/lib/domain/domain-reports/schema";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { DmarcSources } from "./dmarc-sources";
import { everyDay } from "./every-day";
import { TlsReports } from "./tls-reports";

type DayKey = "aligned" | "unaligned";

const bars: readonly Bar<DayKey>[] = [
  { key: "aligned", label: "Aligned", fill: "var(--color-ink)", swatch: "bg-ink" },
  { key: "unaligned", label: "Not aligned", fill: "var(--color-accent)", swatch: "bg-accent" },
];

const about =
  "Receivers such as Gmail, Outlook and Yahoo report each day which servers sent mail with your domain as its sender, and whether DKIM or SPF proved it to be yours (aligned).";

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
    <Section title="Who sends in your name" description={about}>
      {seen ? (
        <>
          <NotUpToDate of={reading} title="These reports are out of date" />
          <Reported dmarc={seen} />
        </>
      ) : reading.isError ? (
        <ErrorState
          title="The reports could not be read"
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
            title="Mail in your name by day"
            description={`${counted(totals.messages, "mail")} in ${counted(period.reports, "report")}, ${percent(totals.aligned / totals.messages)} aligned. UTC days.`}
            unit="Emails"
            bars={bars}
            buckets={bucketsOf(dmarc)}
            width="day"
            stacked
            empty="No mail was reported."
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
        <Value text={record.name} what="DMARC record name" />
        <Value text={record.value} what="DMARC record with the report address" />
      </div>
      <p className="mt-2 max-w-2xl text-soft">
        The address takes reports of this domain alone. It needs the return path record above, which
        brings them here.
      </p>
      <details className="mt-2 max-w-2xl text-soft">
        <summary className="cursor-pointer">If you cannot publish the return path record</summary>
        <p className="mt-1">
          Use <span className="font-mono text-xs wrap-anywhere">mailto:{elsewhere.address}</span>{" "}
          instead. Because that host is not part of your domain, receivers report to it only if
          whoever runs this installation authorizes it with a TXT record{" "}
          <span className="font-mono text-xs wrap-anywhere">{elsewhere.authorization.name}</span>{" "}
          with the value <span className="font-mono text-xs">{elsewhere.authorization.value}</span>
        </p>
      </details>
    </div>
  );
}
