"use client";

import { Filter } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SortHeader } from "@/components/list-page/sort-header";
import { LinkButton } from "@/components/ui/button";
import { FigureLink } from "@/components/ui/figure-link";
import { count } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { SegmentQuery, SegmentSuggestions } from "@/lib/domain/segments/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { sentence } from "./sentence";

/** A page of the project's segments, each with its count and what it means. */
export function SegmentList({
  initial,
  query,
  fields,
}: {
  initial: ApiAnswer<"GET /v1/segments">;
  query: SegmentQuery;
  /** For the names in the sentences. */
  fields: SegmentSuggestions["fields"];
}) {
  const path = useProjectPath();
  const list = useRead("GET /v1/segments", { query }, { initial, every: 30_000 });
  const sorting = { href: path("segments"), query, byDefault: "-createdAt" };
  return (
    <ListPage
      list={list}
      href={path("segments")}
      query={query}
      noMatch={{
        title: t("No segment matches"),
        hint: t("This project has no segment by that name."),
        showAll: t("Show all segments"),
      }}
      empty={<NoSegments />}
    >
      {(segments) => (
        <Table label={t("Segments")} className="table-fixed">
          <TableHead>
            <SortHeader {...sorting} up="name" down="-name" first="up">
              {t("Segment")}
            </SortHeader>
            <SortHeader
              {...sorting}
              up="contacts"
              down="-contacts"
              first="down"
              className="w-40 text-right!"
            >
              {t("Contacts")}
            </SortHeader>
            <SortHeader
              {...sorting}
              up="updatedAt"
              down="-updatedAt"
              first="down"
              className="w-32 text-right! max-sm:hidden"
            >
              {t("Changed")}
            </SortHeader>
          </TableHead>
          <tbody>
            {segments.map((segment) => (
              <Row key={segment.id}>
                <Cell>
                  <RowLink href={path(`segments/${segment.id}`)} className="block truncate">
                    {segment.name}
                  </RowLink>
                  <span className="block truncate text-xs text-soft">
                    {sentence(segment.filter, fields)}
                  </span>
                </Cell>
                <Cell className="text-right">
                  {segment.countedAt ? (
                    <>
                      <FigureLink
                        href={
                          segment.contactCount > 0
                            ? path(`contacts?segmentId=${segment.id}`)
                            : undefined
                        }
                      >
                        {count(segment.contactCount)}
                      </FigureLink>
                      <span className="block text-xs text-faint">
                        {rich("counted {relativeTime}", {
                          relativeTime: <RelativeTime value={segment.countedAt} />,
                        })}
                      </span>
                    </>
                  ) : (
                    <span className="text-faint">{t("counting…")}</span>
                  )}
                </Cell>
                <Cell className="text-right text-soft max-sm:hidden">
                  <RelativeTime value={segment.updatedAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

function NoSegments() {
  const path = useProjectPath();
  const may = useMay("editor");
  return (
    <EmptyState
      icon={Filter}
      title={t("No segments yet")}
      action={
        may && (
          <LinkButton href={path("segments/new")} variant="primary">
            {t("Create your first segment")}
          </LinkButton>
        )
      }
    >
      {t(
        "A segment is a question about your contacts, such as who is on the Pro plan and opened an email this month. Everybody who matches is in it, from the moment they match.",
      )}
    </EmptyState>
  );
}
