"use client";

import { useRead } from "@/components/api/use-read";
import { hatched, type Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Figure } from "@/components/ui/description-list";
import { count, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Engagement } from "@/lib/domain/engagement/schema";
import { t } from "@/lib/ground/texts/t";
import { habitWords } from "./engagement-words";

const bars = (): readonly Bar<"sent" | "opened" | "clicked">[] => [
  { key: "sent", label: t("Sent"), swatch: hatched },
  { key: "opened", label: t("Opened"), swatch: "bg-ink" },
  { key: "clicked", label: t("Clicked"), swatch: "bg-accent" },
];

function Year({ months }: Pick<Engagement, "months">) {
  return (
    <div className="mt-6">
      <ChartFigure
        compact
        unit={t("Emails")}
        title={t("Twelve months")}
        description={habitWords(months)}
        bars={bars()}
        buckets={months.map(({ month, ...figures }) => ({
          at: `${month}-01T00:00:00.000Z`,
          ...figures,
        }))}
        width="month"
        empty={t("No email in twelve months.")}
      />
      <p className="mt-2 text-xs text-faint">
        {t(
          "By the month an email was sent in. What mail programs load by themselves does not count; where images are not loaded, an open stays unseen.",
        )}
      </p>
    </div>
  );
}

/** How a person responds to the project's mail. */
export function ContactEngagement({
  contactId,
  initial,
}: {
  contactId: string;
  initial: Engagement;
}) {
  const reading = useRead(
    "GET /v1/contacts/{id}/engagement",
    { params: { id: contactId } },
    { initial, every: 60_000 },
  );
  const { score, explanation, lastSeenAt, sent, opened, months } = reading.data;
  return (
    <Section title={t("Engagement")}>
      <NotUpToDate of={reading} />
      <dl className="grid grid-cols-3 gap-x-6">
        <Figure
          label={t("Score")}
          value={score ?? "–"}
          note={score === null ? null : t("of 100")}
        />
        <Figure
          label={t("Read")}
          value={sent === 0 ? "–" : percent(Math.round((100 * opened) / sent) / 100)}
          note={
            sent === 0
              ? null
              : t("{opened} of {sent} in 180 days", { opened: count(opened), sent: count(sent) })
          }
        />
        <div>
          <dt className="eyebrow">{t("Last seen")}</dt>
          <dd className="mt-2 text-sm">
            {lastSeenAt ? <RelativeTime value={lastSeenAt} /> : t("never")}
          </dd>
        </div>
      </dl>
      <p className="mt-3 text-sm text-soft">{explanation}</p>
      {months.some((month) => month.sent > 0) && <Year months={months} />}
    </Section>
  );
}
