"use client";

import { ClipboardList, Plus } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SortHeader } from "@/components/list-page/sort-header";
import { LinkButton } from "@/components/ui/button";
import { count, percent } from "@/components/ui/numbers";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Form, FormQuery } from "@/lib/domain/forms/schema";
import { t } from "@/lib/ground/texts/t";
import { FormStatus } from "./form-status";

/** A page of the project's forms, each with its figures. */
export function FormTable({
  initial,
  topics,
  query,
}: {
  initial: ApiAnswer<"GET /v1/forms">;
  topics: ApiAnswer<"GET /v1/topics">;
  query: FormQuery;
}) {
  const path = useProjectPath();
  const page = useRead("GET /v1/forms", { query }, { initial, every: 30_000 });
  const { data: all } = useRead("GET /v1/topics", {}, { initial: topics, every: 60_000 }).data;
  const nameOf = (id: string) => all.find((topic) => topic.id === id)?.name ?? [];
  const subject = ({ listName, topicIds }: Form) =>
    [listName ?? t("Everything you send"), ...topicIds.flatMap(nameOf)].join(", ");
  const sorting = { href: path("forms"), query, byDefault: "-createdAt" };
  return (
    <ListPage
      list={page}
      href={path("forms")}
      query={query}
      noMatch={{
        title: t("No form matches"),
        hint: query.listId
          ? t("No form signs people up for this list yet.")
          : t("This project has no form by that name."),
        showAll: t("Show all forms"),
      }}
      empty={<NoForms />}
    >
      {(forms) => (
        <Table label={t("Forms")} className="table-fixed">
          <TableHead>
            <SortHeader {...sorting} up="name" down="-name" first="up">
              {t("Form")}
            </SortHeader>
            <HeaderCell className="w-24 max-sm:hidden">{t("State")}</HeaderCell>
            <HeaderCell className="w-24 text-right! max-md:hidden">{t("Seen")}</HeaderCell>
            <HeaderCell className="w-28 text-right! max-md:hidden">{t("Sent")}</HeaderCell>
            <SortHeader
              {...sorting}
              up="confirmed"
              down="-confirmed"
              first="down"
              className="w-32 text-right!"
            >
              {t("Confirmed")}
            </SortHeader>
          </TableHead>
          <tbody>
            {forms.map((form) => (
              <Row key={form.id}>
                <Cell>
                  <RowLink href={path(`forms/${form.id}`)} className="block truncate">
                    {form.name}
                  </RowLink>
                  <span className="block truncate text-xs text-soft">
                    {!form.open && <span className="font-medium sm:hidden">{t("Closed")} · </span>}
                    {subject(form)}
                  </span>
                </Cell>
                <Cell className="max-sm:hidden">
                  <FormStatus form={form} />
                </Cell>
                <Cell className="text-right text-soft tabular-nums max-md:hidden">
                  {count(form.figures.seen)}
                </Cell>
                <Cell className="text-right text-soft tabular-nums max-md:hidden">
                  <Part
                    of={form.figures.seen}
                    part={form.figures.sent}
                    title={t("of {count} seen", { count: count(form.figures.seen) })}
                  />
                </Cell>
                <Cell className="text-right tabular-nums">
                  <Part
                    of={form.figures.sent}
                    part={form.figures.confirmed}
                    title={t("of {count} sent", { count: count(form.figures.sent) })}
                  />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

/** A figure and its share of the one before it. */
function Part({ part, of, title }: { part: number; of: number; title: string }) {
  return (
    <>
      {count(part)}
      {of > 0 && (
        <span className="block text-xs text-faint" title={title}>
          {percent(part / of)}
        </span>
      )}
    </>
  );
}

function NoForms() {
  const path = useProjectPath();
  const may = useMay("editor");
  return (
    <EmptyState
      icon={ClipboardList}
      title={t("No sign-up forms yet")}
      action={
        may && (
          <LinkButton href={path("forms/new")} variant="primary">
            <Plus aria-hidden /> {t("Create form")}
          </LinkButton>
        )
      }
    >
      {t(
        "A form is where people sign up by themselves: a page of its own to link to, or the same form on your website. They confirm by email, and you see how many saw it, sent it and confirmed.",
      )}
    </EmptyState>
  );
}
