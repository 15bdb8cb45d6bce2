import { count, counted } from "@/components/ui/numbers";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { Dmarc, DmarcSource } from "@/lib/domain/domain-reports/schema";

function whoIs({ ours, sender, name }: DmarcSource): string {
  if (ours) return "This installation";
  return sender ?? name ?? "Unknown";
}

function fateOf({ quarantined, rejected }: DmarcSource): string {
  const fates = [
    quarantined > 0 && `${count(quarantined)} to spam`,
    rejected > 0 && `${count(rejected)} refused`,
  ].filter(Boolean);
  return fates.length > 0 ? fates.join(", ") : "as usual";
}

/** The servers that sent mail in a domain's name, the busiest first. */
export function DmarcSources({ dmarc: { sources, otherSources } }: { dmarc: Dmarc }) {
  return (
    <div>
      <Table label="Servers that send in your name">
        <TableHead>
          <HeaderCell>Server</HeaderCell>
          <HeaderCell className="text-right">Mails</HeaderCell>
          <HeaderCell className="text-right">DKIM</HeaderCell>
          <HeaderCell className="text-right">SPF</HeaderCell>
          <HeaderCell>Aligned</HeaderCell>
          <HeaderCell>Delivered</HeaderCell>
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
                    ? "all"
                    : source.aligned === 0
                      ? "none"
                      : `${count(source.messages - source.aligned)} not`}
                </Badge>
              </Cell>
              <Cell className="whitespace-nowrap text-soft">{fateOf(source)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {otherSources > 0 && (
        <p className="mt-2 text-sm text-soft">And {counted(otherSources, "more server")}.</p>
      )}
    </div>
  );
}
