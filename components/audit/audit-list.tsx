"use client";

import { History } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { programOf } from "@/components/settings/device";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { AuditEntry, AuditQuery } from "@/lib/domain/audit/schema";
import { t } from "@/lib/ground/texts/t";
import { targetPage } from "./target-page";

/** A page of the audit log; the newest page keeps itself up to date. */
export function AuditList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/audit">;
  query: AuditQuery;
}) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/audit",
    { query },
    { initial, every: query.cursor ? false : 30_000 },
  );
  return (
    <ListPage
      list={list}
      href={path("settings/audit")}
      query={query}
      noMatch={{
        title: t("Nothing matches"),
        hint: t("No entry matches all of these filters. Dates are whole days in UTC."),
        showAll: t("Show the whole log"),
      }}
      empty={
        <EmptyState icon={History} title={t("Nothing has happened yet")}>
          {t("Sign-ins, keys, exports and every change to what the project holds appear here.")}
        </EmptyState>
      }
    >
      {(entries) => (
        <Table label={t("Audit log")} className="table-fixed">
          <TableHead>
            <HeaderCell>{t("What happened")}</HeaderCell>
            <HeaderCell className="w-60 max-md:hidden">{t("From")}</HeaderCell>
            <HeaderCell className="w-36 text-right! max-sm:hidden">{t("When")}</HeaderCell>
          </TableHead>
          <tbody>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const program = entry.userAgent ? programOf(entry.userAgent) : "";
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <Sentence entry={entry} />
        <span className="mt-0.5 block text-xs text-faint md:hidden">
          {entry.address && <span className="mr-2">{entry.address}</span>}
          <span className="sm:hidden">
            <RelativeTime value={entry.createdAt} />
          </span>
        </span>
      </Cell>
      <Cell className="text-soft max-md:hidden">
        {entry.address === null ? (
          <span className="text-faint">–</span>
        ) : (
          <>
            <span className="block truncate">{entry.address}</span>
            {program && (
              <span className="block truncate text-xs text-faint" title={entry.userAgent ?? ""}>
                {program}
              </span>
            )}
          </>
        )}
      </Cell>
      <Cell className="text-right text-soft max-sm:hidden">
        <RelativeTime value={entry.createdAt} />
      </Cell>
    </Row>
  );
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const path = useProjectPath();
  const { target, sentence } = entry;
  const { before, after } = sentence;
  if (after === null || !target) return <>{before}</>;
  const page = target.pageId ? targetPage(target.pageId) : null;
  return (
    <>
      {before}
      {page ? (
        <Link href={path(page)} className="font-medium underline underline-offset-2">
          {target.name}
        </Link>
      ) : (
        <span className="font-medium">{target.name}</span>
      )}
      {after}
    </>
  );
}
