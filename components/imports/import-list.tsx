"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { ImportStatus, isRunning } from "./import-status";

/** Earlier imports; nothing while there are none. */
export function ImportList({ initial }: { initial: ApiAnswer<"GET /v1/contacts/imports"> }) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/contacts/imports",
    { query: { limit: 20 } },
    { initial, every: (page) => (page?.data.some(isRunning) ? 2_000 : 60_000) },
  );
  const imports = list.data.data;
  if (imports.length === 0) return null;
  return (
    <div className="mt-10">
      <Section title={t("Previous imports")}>
        <NotUpToDate of={list} title={t("This list is out of date")} />
        <Table label={t("Imports")} className="table-fixed">
          <TableHead>
            <HeaderCell>{t("File")}</HeaderCell>
            <HeaderCell className="w-28">{t("Status")}</HeaderCell>
            <HeaderCell className="w-24 text-right! max-sm:hidden">{t("Rows")}</HeaderCell>
            <HeaderCell className="w-24 text-right! max-sm:hidden">{t("Refused")}</HeaderCell>
            <HeaderCell className="w-32 text-right!">{t("Started")}</HeaderCell>
          </TableHead>
          <tbody>
            {imports.map((contactImport) => (
              <Row key={contactImport.id}>
                <Cell>
                  <RowLink
                    href={path(`contacts/imports/${contactImport.id}`)}
                    className="block truncate"
                  >
                    {contactImport.filename || t("(no file name)")}
                  </RowLink>
                </Cell>
                <Cell>
                  <ImportStatus status={contactImport.status} />
                </Cell>
                <Cell className="text-right max-sm:hidden">{count(contactImport.total)}</Cell>
                <Cell className="text-right max-sm:hidden">{count(contactImport.refused)}</Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={contactImport.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </Section>
    </div>
  );
}
