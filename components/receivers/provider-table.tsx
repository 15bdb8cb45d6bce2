import type { ReactNode } from "react";
import { deliveredShare } from "@/components/ui/delivered-words";
import { FigureLink } from "@/components/ui/figure-link";
import { count, finePercent, percent } from "@/components/ui/numbers";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { CountedEvent } from "@/lib/domain/emails/terms";
import type { ProviderFigures, Verdict } from "@/lib/domain/receivers/provider-figures-schema";
import { otherProviders } from "@/lib/domain/receivers/terms";
import { t } from "@/lib/ground/texts/t";
import { Health } from "./health";

/** Mail by receiving provider: what arrived, what was read, and what counts against the sender. */
export function ProviderTable({
  label,
  providers,
  deliveryConfirmed,
  mail,
}: {
  label: string;
  providers: readonly ProviderFigures[];
  deliveryConfirmed: boolean;
  /** Where the mail to a provider is to which this has happened; null: no page has just what was counted. */
  mail: ((filter: { provider: string; event: CountedEvent }) => string) | null;
}) {
  return (
    <Table label={label} className="table-fixed">
      <TableHead>
        <HeaderCell>{t("Provider")}</HeaderCell>
        <HeaderCell className="w-24 text-right! max-sm:hidden">{t("Sent")}</HeaderCell>
        <HeaderCell className="w-28 text-right! max-md:hidden">{t("Delivered")}</HeaderCell>
        <HeaderCell className="w-24 text-right! max-md:hidden">{t("Opened")}</HeaderCell>
        <HeaderCell className="w-24 text-right! max-lg:hidden">{t("Clicked")}</HeaderCell>
        <HeaderCell className="w-28 text-right! hyphens-auto wrap-anywhere">
          {t("Bounced")}
        </HeaderCell>
        <HeaderCell className="w-26 text-right!">{t("Complaints")}</HeaderCell>
      </TableHead>
      <tbody>
        {providers.map((row) => {
          const share = (rate: string) => (row.sent === 0 ? "–" : rate);
          const { name: provider } = row;
          const which = (event: CountedEvent, number: number) =>
            number > 0 && provider !== otherProviders ? mail?.({ provider, event }) : undefined;
          const linked = (event: CountedEvent, number: number, figure: ReactNode) => (
            <FigureLink href={which(event, number)}>{figure}</FigureLink>
          );
          return (
            <Row key={row.name}>
              <Cell>
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block text-xs text-soft sm:hidden">
                  {linked("handed_over", row.sent, t("{sent} sent", { sent: count(row.sent) }))}
                </span>
              </Cell>
              <Cell className="text-right max-sm:hidden">
                {linked("handed_over", row.sent, count(row.sent))}
              </Cell>
              <Cell className="text-right text-soft max-md:hidden">
                {linked("delivered", row.delivered, deliveredShare({ ...row, deliveryConfirmed }))}
              </Cell>
              <Cell className="text-right max-md:hidden">
                {linked("opened", row.opened, share(percent(row.openRate)))}
              </Cell>
              <Cell className="text-right text-soft max-lg:hidden">
                {linked("clicked", row.clicked, share(percent(row.clickRate)))}
              </Cell>
              <Judged
                rate={linked("bounced", row.bounced, share(percent(row.bounceRate)))}
                people={row.bounced}
                verdict={row.health.bounces}
              />
              <Judged
                rate={linked("complained", row.complained, share(finePercent(row.complaintRate)))}
                people={row.complained}
                verdict={row.health.complaints}
              />
            </Row>
          );
        })}
      </tbody>
    </Table>
  );
}

/** What counts against the sender, and how it is judged, if enough was sent to tell. */
function Judged({
  rate,
  people,
  verdict,
}: {
  rate: ReactNode;
  people: number;
  verdict: Verdict | null;
}) {
  return (
    <Cell className="text-right text-soft" title={count(people)}>
      {rate}
      {verdict !== null && verdict !== "healthy" && (
        <span className="mt-0.5 flex justify-end text-xs">
          <Health verdict={verdict} />
        </span>
      )}
    </Cell>
  );
}
