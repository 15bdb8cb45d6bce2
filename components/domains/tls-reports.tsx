import type { ReactNode } from "react";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { rich } from "@/components/ui/rich";
import type { Dmarc } from "@/lib/domain/domain-reports/schema";
import { t } from "@/lib/ground/texts/t";
import { everyDay } from "./every-day";
import { tlsWords } from "./tls-words";

type DayKey = "successful" | "failed";

const bars = (): readonly Bar<DayKey>[] => [
  { key: "successful", label: t("Encrypted"), swatch: "bg-ink" },
  { key: "failed", label: t("Failed"), swatch: "bg-accent" },
];

const asCode = (words: ReactNode) => <span className="font-mono text-xs">{words}</span>;

/** How TLS of mail to the domain fares, as senders report it, over time, and what to do about what fails. */
export function TlsReports({ tls, period }: Pick<Dmarc, "tls" | "period">) {
  if (tls.reports === 0) return null;
  return (
    <div className="text-sm">
      <h3 className="font-semibold">{t("Encryption of mail to this domain")}</h3>
      <p className="mt-1 text-soft">{tlsWords(tls)}</p>
      {tls.failures.length > 0 && (
        <ul className="mt-3 flex flex-col gap-3">
          {tls.failures.map(({ type, receivingHost, sessions, advice }, index) => (
            <li key={index} className="max-w-2xl">
              <p className="wrap-anywhere">
                {receivingHost
                  ? rich(
                      "{count, plural, one {# session} other {# sessions}} failed at {host}: <code>{type}</code>",
                      { count: sessions, host: receivingHost, type, code: asCode },
                    )
                  : rich(
                      "{count, plural, one {# session} other {# sessions}} failed: <code>{type}</code>",
                      { count: sessions, type, code: asCode },
                    )}
              </p>
              <p className="text-soft">{advice}</p>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-6">
        <ChartFigure
          title={t("Sessions with your mail servers by day")}
          description={t("As the servers that bring you mail report them. UTC days.")}
          unit={t("Sessions")}
          bars={bars()}
          buckets={everyDay(period, tls.days, { successful: 0, failed: 0 })}
          width="day"
          stacked
          empty={t("No sessions were reported.")}
        />
      </div>
    </div>
  );
}
