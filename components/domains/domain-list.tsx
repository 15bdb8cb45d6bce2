"use client";

import { Globe } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { isFiltered } from "@/components/list-page/filters";
import { ListPage } from "@/components/list-page/list-page";
import { SortHeader } from "@/components/list-page/sort-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Domain, DomainQuery } from "@/lib/domain/sending-domains/schema";
import { t } from "@/lib/ground/texts/t";
import { AddDomain } from "./add-domain";
import { DomainStatus } from "./domain-status";

/** `3 of 3 found`: only the required records count. */
function recordsFound({ builtIn, records }: Domain): string {
  if (builtIn) return t("none needed");
  const required = records.filter((record) => record.required);
  const verified = required.filter(({ status }) => status === "VERIFIED");
  return t("{verified} of {required} found", {
    verified: verified.length,
    required: required.length,
  });
}

/** A page of the project's domains; keeps itself up to date while somebody waits for DNS. */
export function DomainList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/domains">;
  query: DomainQuery;
}) {
  const path = useProjectPath();
  const list = useRead("GET /v1/domains", { query }, { initial, every: 10_000 });
  const onlyBuiltIn = list.data.data.every(({ builtIn }) => builtIn);
  const sorting = { href: path("domains"), query, byDefault: "-createdAt" };
  return (
    <ListPage
      list={list}
      href={path("domains")}
      query={query}
      noMatch={{
        title: t("No domain matches"),
        hint: t("This project has no domain with this name and status."),
        showAll: t("Show all domains"),
      }}
      empty={<NoOwnDomain />}
    >
      {(domains) => (
        <>
          <Table label={t("Domains")}>
            <TableHead>
              <SortHeader {...sorting} up="name" down="-name" first="up">
                {t("Domain")}
              </SortHeader>
              <HeaderCell>{t("Status")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("DNS records")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("Last checked")}</HeaderCell>
              <SortHeader
                {...sorting}
                up="createdAt"
                down="-createdAt"
                first="down"
                className="max-sm:hidden"
              >
                {t("Added")}
              </SortHeader>
            </TableHead>
            <tbody>
              {domains.map((domain) => (
                <Row key={domain.id}>
                  <Cell>
                    <span className="flex items-center gap-2">
                      <RowLink href={path(`domains/${domain.id}`)} className="wrap-anywhere">
                        {domain.name}
                      </RowLink>
                      {domain.builtIn && <Badge>{t("built in")}</Badge>}
                    </span>
                  </Cell>
                  <Cell>
                    <DomainStatus domain={domain} />
                  </Cell>
                  <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                    {recordsFound(domain)}
                  </Cell>
                  <Cell className="text-soft max-sm:hidden">
                    {domain.builtIn ? "–" : <RelativeTime value={domain.checkedAt} />}
                  </Cell>
                  <Cell className="text-soft max-sm:hidden">
                    <RelativeTime value={domain.createdAt} />
                  </Cell>
                </Row>
              ))}
            </tbody>
          </Table>
          {onlyBuiltIn && !isFiltered(query) && !query.cursor && <NoOwnDomain />}
        </>
      )}
    </ListPage>
  );
}

function NoOwnDomain() {
  return (
    <EmptyState icon={Globe} title={t("Send from your own domain")} action={<AddDomain again />}>
      {t(
        "Mailbox providers trust mail that its own domain vouches for. Add yours and publish three DNS records; your mail is then signed with a key that belongs to your domain alone.",
      )}
    </EmptyState>
  );
}
