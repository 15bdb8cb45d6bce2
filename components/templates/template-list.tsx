"use client";

import { LayoutTemplate } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SortHeader } from "@/components/list-page/sort-header";
import { LinkButton } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { TemplateQuery } from "@/lib/domain/templates/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

/** A page of the templates. */
export function TemplateList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/templates">;
  query: TemplateQuery;
}) {
  const path = useProjectPath();
  const list = useRead("GET /v1/templates", { query }, { initial, every: 60_000 });
  const sorting = { href: path("templates"), query, byDefault: "-createdAt" };
  return (
    <ListPage
      list={list}
      href={path("templates")}
      query={query}
      noMatch={{
        title: t("No template matches"),
        hint: t("This project has no template by that name."),
        showAll: t("Show all templates"),
      }}
      empty={<NoTemplates />}
    >
      {(templates) => (
        <Table label={t("Templates")} className="table-fixed">
          <TableHead>
            <SortHeader {...sorting} up="name" down="-name" first="up">
              {t("Name and subject")}
            </SortHeader>
            <HeaderCell className="w-24 text-right! max-sm:hidden">{t("Version")}</HeaderCell>
            <SortHeader
              {...sorting}
              up="updatedAt"
              down="-updatedAt"
              first="down"
              className="w-32 text-right!"
            >
              {t("Changed")}
            </SortHeader>
          </TableHead>
          <tbody>
            {templates.map((template) => (
              <Row key={template.id}>
                <Cell>
                  <RowLink href={path(`templates/${template.id}`)} className="block truncate">
                    {template.name}
                  </RowLink>
                  <span className="block truncate text-soft">{template.subject}</span>
                </Cell>
                <Cell className="text-right max-sm:hidden">{template.version}</Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={template.updatedAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

function NoTemplates() {
  const path = useProjectPath();
  const may = useMay("editor");
  return (
    <EmptyState
      icon={LayoutTemplate}
      title={t("No templates yet")}
      action={
        may && (
          <LinkButton href={path("templates/new")} variant="primary">
            {t("Create your first template")}
          </LinkButton>
        )
      }
    >
      {rich(
        "A template is a subject and a body with placeholders such as <code>'{{' firstName '}}'</code>. Your program sends it by its id, so you can change the wording without touching the program.",
        { code: (words) => <span className="whitespace-nowrap">{words}</span> },
      )}
    </EmptyState>
  );
}
