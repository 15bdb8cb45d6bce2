import { count } from "@/components/ui/numbers";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { Dmarc, DmarcSource } from "@/lib/domain/domain-reports/schema";
import { listFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";

function whoIs({ ours, sender, name }: DmarcSource): string {
  if (ours) return t("This installation");
  return sender ?? name ?? t("Unknown");
}

function fateOf({ quarantined, rejected }: DmarcSource): string {
  const fates = [
    quarantined > 0 && t("{count} to spam", { count: count(quarantined) }),
    rejected > 0 && t("{count} refused", { count: count(rejected) }),
  ].filter((fate) => fate !== false);
  if (fates.length === 0) return t("as usual");
  return listFormat({ type: "unit" }).format(fates);
}

/** The servers that sent mail in a domain's name, the busiest first. */
export function DmarcSources({ dmarc: { sources, otherSources } }: { dmarc: Dmarc }) {
  return (
    <div>
      <Table label={t("Servers that send in your name")}>
        <TableHead>
          <HeaderCell>{t("Server")}</HeaderCell>
          <HeaderCell className="text-right">{t("Mails")}</HeaderCell>
          <HeaderCell className="text-right">DKIM</HeaderCell>
          <HeaderCell className="text-right">SPF</HeaderCell>
          <HeaderCell>{t("Aligned")}</HeaderCell>
          <HeaderCell>{t("Delivered")}</HeaderCell>
        </TableHead>
        <tbody>
          {sources.map((source) => (
            <Row key={source.address}>
              <Cell>
                <span className="block font-medium wrap-anywhere">{whoIs(source)}</span>
                <span className="font-mono text-xs text-faint">{source.address}</span>
              </Cell>
              <Cell className="text-right tabular-nums">{count(source.messages)}</Cell>
              <Cell className="text-right tabular-nums">{count(source.dkimAligned)}</Cell>
              <Cell className="text-right tabular-nums">{count(source.spfAligned)}</Cell>
              <Cell>
                <Badge>
                  {source.aligned === source.messages
                    ? t("all")
                    : source.aligned === 0
                      ? t("none")
                      : t("{count} not", { count: count(source.messages - source.aligned) })}
                </Badge>
              </Cell>
              <Cell className="whitespace-nowrap text-soft">{fateOf(source)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {otherSources > 0 && (
        <p className="mt-2 text-sm text-soft">
          {t("{count, plural, one {And # more server.} other {And # more servers.}}", {
            count: otherSources,
          })}
        </p>
      )}
    </div>
  );
}
