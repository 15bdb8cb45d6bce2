"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "@/components/api/use-api";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { ImportStatus, isRunning } from "./import-status";

/** The imports before; nothing while there are none. */
export function ImportList({ initial }: { initial: ApiAnswer<"GET /v1/contacts/imports"> }) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const list = useQuery({
    queryKey: ["imports", id, "list"],
    queryFn: ({ signal }) => api("GET /v1/contacts/imports", { query: { limit: 20 } }, { signal }),
    initialData: initial,
    refetchInterval: (current) => (current.state.data?.data.some(isRunning) ? 2_000 : 60_000),
  });
  const { data } = list.data;
  if (data.length === 0) return null;
  const count = (number: number) => number.toLocaleString("en");
  return (
    <div className="mt-10">
      <Section title="Imports">
        <Table label="Imports" className="table-fixed">
          <TableHead>
            <HeaderCell>File</HeaderCell>
            <HeaderCell className="w-28">State</HeaderCell>
            <HeaderCell className="w-24 text-right! max-sm:hidden">Rows</HeaderCell>
            <HeaderCell className="w-24 text-right! max-sm:hidden">Refused</HeaderCell>
            <HeaderCell className="w-32 text-right!">Started</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((one) => (
              <Row key={one.id}>
                <Cell>
                  <RowLink href={path(`contacts/imports/${one.id}`)} className="block truncate">
                    {one.filename || "(no name)"}
                  </RowLink>
                </Cell>
                <Cell>
                  <ImportStatus status={one.status} />
                </Cell>
                <Cell className="text-right max-sm:hidden">{count(one.total)}</Cell>
                <Cell className="text-right max-sm:hidden">{count(one.refused)}</Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={one.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </Section>
    </div>
  );
}
