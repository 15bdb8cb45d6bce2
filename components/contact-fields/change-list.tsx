import { CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { BulkChange } from "@/lib/domain/contact-fields/schema";
import { t } from "@/lib/ground/texts/t";
import { changeWords, resultWords, underWayWords } from "./words";

/** How far a change is. `children`: what can be done about it. */
export function ChangeUnderWay({ change, children }: { change: BulkChange; children?: ReactNode }) {
  const words = underWayWords(change);
  return (
    <div className="mb-7">
      <p className="mb-1.5 text-sm font-medium wrap-anywhere" role="status">
        {words}
      </p>
      <Progress label={words} value={change.status === "RUNNING" ? change.progress : null} />
      <p className="mt-1.5 text-sm text-soft">
        {change.status === "PENDING"
          ? t("Starting in a moment.")
          : t("{percent}% done.", { percent: Math.floor(change.progress * 100) })}{" "}
        {t("You can close this page. The change continues.")}
      </p>
      {children}
    </div>
  );
}

/** Changes that are over, the newest first; nothing while there are none. */
export function LastChanges({ changes }: { changes: readonly BulkChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div className="mt-10">
      <Section
        title={t("Last changes")}
        description={t("What was changed for everybody, here or through the API.")}
      >
        <Table label={t("Last changes")} className="table-fixed">
          <TableHead>
            <HeaderCell>{t("Action")}</HeaderCell>
            <HeaderCell className="w-28">{t("Result")}</HeaderCell>
            <HeaderCell className="w-32 text-right! max-sm:hidden">{t("Ended")}</HeaderCell>
          </TableHead>
          <tbody>
            {changes.map((change) => (
              <Row key={change.id}>
                <Cell className="wrap-anywhere">
                  {changeWords(change)}
                  <span className="block text-soft">
                    {change.failureReason ?? resultWords(change)}
                  </span>
                </Cell>
                <Cell>
                  {change.status === "CANCELLED" ? (
                    <Status tone="neutral" icon={CircleX}>
                      {t("Cancelled")}
                    </Status>
                  ) : change.status === "FAILED" ? (
                    <Status tone="danger" icon={CircleX}>
                      {t("Stopped")}
                    </Status>
                  ) : (
                    <Status tone="success" icon={CircleCheck}>
                      {t("Done")}
                    </Status>
                  )}
                </Cell>
                <Cell className="text-right text-soft max-sm:hidden">
                  <RelativeTime value={change.finishedAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </Section>
    </div>
  );
}
