"use client";

import clsx from "clsx";
import { ListPlus, Plus } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SortHeader } from "@/components/list-page/sort-header";
import { LinkButton } from "@/components/ui/button";
import { FigureLink } from "@/components/ui/figure-link";
import { count } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ListQuery } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";

/** A page of the project's lists, each with how many people are on it. */
export function ListTable({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/lists">;
  query: ListQuery;
}) {
  const path = useProjectPath();
  const page = useRead("GET /v1/lists", { query }, { initial, every: 30_000 });
  const sorting = { href: path("lists"), query, byDefault: "-createdAt" };
  return (
    <ListPage
      list={page}
      href={path("lists")}
      query={query}
      noMatch={{
        title: t("No list matches"),
        hint: t("This project has no list by that name."),
        showAll: t("Show all lists"),
      }}
      empty={<NoLists />}
    >
      {(lists) => (
        <Table label={t("Lists")} className="table-fixed">
          <TableHead>
            <SortHeader {...sorting} up="name" down="-name" first="up">
              {t("List")}
            </SortHeader>
            <SortHeader
              {...sorting}
              up="subscribed"
              down="-subscribed"
              first="down"
              className="w-32 text-right!"
            >
              {t("Subscribed")}
            </SortHeader>
            <HeaderCell className="w-32 text-right! max-md:hidden">{t("Unconfirmed")}</HeaderCell>
            <HeaderCell className="w-32 text-right! max-md:hidden">{t("Unsubscribed")}</HeaderCell>
            <SortHeader
              {...sorting}
              up="createdAt"
              down="-createdAt"
              first="down"
              className="w-32 text-right! max-sm:hidden"
            >
              {t("Created")}
            </SortHeader>
          </TableHead>
          <tbody>
            {lists.map(({ id, name, fromName, fromEmail, members, createdAt }) => (
              <Row key={id}>
                <Cell>
                  <RowLink href={path(`lists/${id}`)} className="block truncate">
                    {name}
                  </RowLink>
                  <span className="block truncate text-xs text-soft">
                    {fromName ? `${fromName} <${fromEmail}>` : fromEmail}
                  </span>
                </Cell>
                {(["subscribed", "unconfirmed", "unsubscribed"] as const).map((status) => (
                  <Cell
                    key={status}
                    className={clsx(
                      "text-right tabular-nums",
                      status !== "subscribed" && "text-soft max-md:hidden",
                    )}
                  >
                    <FigureLink
                      href={members[status] > 0 ? path(`lists/${id}?status=${status}`) : undefined}
                    >
                      {count(members[status])}
                    </FigureLink>
                  </Cell>
                ))}
                <Cell className="text-right text-soft max-sm:hidden">
                  <RelativeTime value={createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

function NoLists() {
  const path = useProjectPath();
  const may = useMay("editor");
  return (
    <EmptyState
      icon={ListPlus}
      title={t("No lists yet")}
      action={
        may && (
          <LinkButton href={path("lists/new")} variant="primary">
            <Plus aria-hidden /> {t("Create list")}
          </LinkButton>
        )
      }
    >
      {t(
        "A list is a newsletter that people sign up for, with its own sender and its own fields. People join and leave a list themselves; who is in a segment is up to you.",
      )}
    </EmptyState>
  );
}
