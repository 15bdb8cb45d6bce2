"use client";

import { LayoutTemplate, Trash2 } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { EachActions } from "@/components/list-page/each-actions";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectPage } from "@/components/list-page/select-cells";
import { useSelection } from "@/components/list-page/use-selection";
import { LinkButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { counted } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowLink } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { TemplateQuery, TemplateSummary } from "@/lib/domain/templates/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { TemplateThumbnail } from "./template-thumbnail";

/** A page of the templates, each with a picture of its mail. */
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
      {(templates) => <TemplateGrid templates={templates} />}
    </ListPage>
  );
}

function TemplateGrid({ templates }: { templates: readonly TemplateSummary[] }) {
  const path = useProjectPath();
  const may = useMay("editor");
  const selection = useSelection(templates, ({ id }) => id);
  return (
    <>
      {may && (
        <div className="mb-4 flex flex-col gap-3">
          <TemplateActions chosen={selection.chosen} onDone={selection.clear} />
          <SelectPage
            label={t("Select all templates on this page")}
            wholePage={selection.wholePage}
            some={selection.chosen.length > 0}
            onChange={selection.choosePage}
          />
        </div>
      )}
      <ul
        aria-label={t("Templates")}
        className="grid grid-cols-2 gap-4 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] sm:gap-5"
      >
        {templates.map((template) => (
          <li
            key={template.id}
            className="relative flex min-w-0 flex-col rounded-md border border-control bg-sheet transition-colors hover:border-ink"
          >
            <TemplateThumbnail template={template} />
            <div className="flex items-start gap-2 px-3 py-2 text-sm">
              {may && (
                <span className="relative z-10 mt-0.5">
                  <Checkbox
                    label={t("Select {name}", { name: template.name })}
                    labelHidden
                    checked={selection.has(template.id)}
                    onChange={(on) => selection.choose([template.id], on)}
                  />
                </span>
              )}
              <div className="min-w-0 flex-1">
                <RowLink
                  href={path(`templates/${template.id}`)}
                  title={template.name}
                  className="block truncate after:rounded-md"
                >
                  {template.name}
                </RowLink>
                <span className="block truncate text-soft">{template.subject}</span>
                <span className="mt-0.5 block truncate text-xs text-faint">
                  {rich("Version {version}, {time}", {
                    version: template.version,
                    time: <RelativeTime value={template.updatedAt} />,
                  })}
                </span>
              </div>
            </div>
          </li>
        ))}
      </ul>
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
            "This deletes them with all of their versions. Programs that send one by its id will get NOT_FOUND. Mail already sent with them is not affected.",
          ),
          action: t("Delete {templates}", { templates }),
          run: (id) => api("DELETE /v1/templates/{id}", { params: { id } }),
          undo: (id) => api("POST /v1/templates/{id}/restore", { params: { id } }),
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
