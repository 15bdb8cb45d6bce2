"use client";

import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { barTime } from "@/components/ui/dates";
import { count, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ProjectUsage } from "@/lib/domain/projects/schema";
import { t } from "@/lib/ground/texts/t";

/** How much the project sends, month by month, and how much of the operator's limit that is. */
export function Usage({ initial }: { initial: ProjectUsage }) {
  const reading = useRead("GET /v1/project/usage", {}, { initial, every: 60_000 });
  const { limit, months } = reading.data;
  const [current, ...before] = months;
  const used = current?.emails ?? 0;
  const past = before.slice(0, before.findLastIndex(({ emails }) => emails > 0) + 1);
  return (
    <Section
      title={t("Usage")}
      description={
        limit === null
          ? t("Emails of this month (UTC). There is no limit.")
          : t(
              "Emails of this month (UTC). The limit is set by whoever runs this installation; once it is reached, sending is refused and campaigns pause.",
            )
      }
    >
      <NotUpToDate of={reading} />
      <p className="text-sm">
        <span className="display text-2xl">{count(used)}</span>
        {limit !== null && (
          <span className="text-soft">
            {" "}
            {limit > 0
              ? t("of {limit} ({share})", { limit: count(limit), share: percent(used / limit) })
              : t("of {limit}", { limit: count(limit) })}
          </span>
        )}
      </p>
      {limit !== null && limit > 0 && (
        <div className="mt-2 max-w-md">
          <Progress label={t("Share of the month’s limit")} value={Math.min(1, used / limit)} />
        </div>
      )}
      {past.length > 0 && (
        <details className="mt-4">
          <summary className="cursor-default text-sm text-soft">{t("Months before")}</summary>
          <div className="mt-2 max-w-md">
            <Table label={t("Emails by month")}>
              <TableHead>
                <HeaderCell>{t("Month")}</HeaderCell>
                <HeaderCell className="text-right!">{t("Emails")}</HeaderCell>
              </TableHead>
              <tbody>
                {past.map(({ month, emails }) => (
                  <Row key={month}>
                    <Cell>{barTime(`${month}-01T00:00:00Z`, "month", "full")}</Cell>
                    <Cell className="text-right">{count(emails)}</Cell>
                  </Row>
                ))}
              </tbody>
            </Table>
          </div>
        </details>
      )}
    </Section>
  );
}
