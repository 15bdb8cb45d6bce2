"use client";

import { LayoutTemplate, Trash2 } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EachActions } from "@/components/list-page/each-actions";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { SortHeader } from "@/components/list-page/sort-header";
import { useSelection } from "@/components/list-page/use-selection";
import { LinkButton } from "@/components/ui/button";
import { counted } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { TemplateQuery, TemplateSummary } from "@/lib/domain/templates/schema";
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
      {(templates) => <TemplateTable templates={templates} query={query} />}
    </ListPage>
  );
}

function TemplateTable({
  templates,
  query,
}: {
  templates: readonly TemplateSummary[];
  query: TemplateQuery;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const selection = useSelection(templates, ({ id }) => id);
  const sorting = { href: path("templates"), query, byDefault: "-createdAt" };
  return (
    <>
      {may && <TemplateActions chosen={selection.chosen} onDone={selection.clear} />}
      <Table label={t("Templates")} className="table-fixed">
        <TableHead>
          {may && (
            <SelectPageCell
              label={t("Select all templates on this page")}
              wholePage={selection.wholePage}
              some={selection.chosen.length > 0}
              onChange={selection.choosePage}
            />
          )}
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
              {may && (
                <SelectCell
                  label={t("Select {name}", { name: template.name })}
                  checked={selection.has(template.id)}
                  onChange={(on) => selection.choose([template.id], on)}
                />
              )}
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
    </>
  );
}

function TemplateActions({
  chosen,
  onDone,
}: {
  chosen: readonly TemplateSummary[];
  onDone: () => void;
}) {
  const api = useApi();
  const templates = counted(chosen.length, "template");
  return (
    <EachActions
      label={t("Selected templates")}
      hint={t("Select templates to delete several at once.")}
      chosen={chosen.length}
      actions={[
        {
          label: t("Delete"),
          icon: Trash2,
          things: chosen,
          title: t("Delete {templates}?", { templates }),
          lost: t(
            "This permanently deletes them with all of their versions. Programs that send one by its id will get NOT_FOUND. Mail already sent with them is not affected.",
          ),
          action: t("Delete {templates}", { templates }),
          run: (id) => api("DELETE /v1/templates/{id}", { params: { id } }),
          done: (count) => t("{templates} deleted", { templates: counted(count, "template") }),
        },
      ]}
      onDone={onDone}
    />
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
