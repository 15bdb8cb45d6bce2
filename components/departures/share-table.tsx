import { count, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import { t } from "@/lib/ground/texts/t";

/** How many people one thing accounts for. */
export interface Share {
  key: string;
  label: string;
  /** Where they, or the thing, can be seen. */
  href: string | null;
  people: number;
}

/** Things with the people they account for, and their share of all; nothing when there are none. */
export function ShareTable({
  title,
  rows,
  of,
}: {
  title: string;
  rows: readonly Share[];
  of: number;
}) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Section title={title}>
        <Table label={title} className="table-fixed">
          <TableHead>
            <HeaderCell>
              <span className="sr-only">{title}</span>
            </HeaderCell>
            <HeaderCell className="w-24 text-right!">{t("People")}</HeaderCell>
            <HeaderCell className="w-20 text-right!">{t("Share")}</HeaderCell>
          </TableHead>
          <tbody>
            {rows.map(({ key, label, href, people }) => (
              <Row key={key}>
                <Cell className="wrap-anywhere">
                  {href === null ? label : <RowLink href={href}>{label}</RowLink>}
                </Cell>
                <Cell className="text-right tabular-nums">{count(people)}</Cell>
                <Cell className="text-right text-soft tabular-nums">{percent(people / of)}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </Section>
    </div>
  );
}
