"use client";

import { ClipboardList, Plus } from "lucide-react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { LinkButton } from "@/components/ui/button";
import { count, percent } from "@/components/ui/numbers";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Form, FormQuery } from "@/lib/domain/forms/schema";
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
    [listName ?? "Everything you send", ...topicIds.flatMap(nameOf)].join(", ");
  return (
    <ListPage
      list={page}
      href={path("forms")}
      query={query}
      noMatch={{
        title: "No form matches",
        hint: query.listId
          ? "No form signs people up for this list yet."
          : "This project has no form by that name.",
        showAll: "Show all forms",
      }}
      empty={<NoForms />}
    >
      {(forms) => (
        <Table label="Forms" className="table-fixed">
          <TableHead>
            <HeaderCell>Form</HeaderCell>
            <HeaderCell className="w-24 max-sm:hidden">State</HeaderCell>
            <HeaderCell className="w-24 text-right! max-md:hidden">Seen</HeaderCell>
            <HeaderCell className="w-28 text-right! max-md:hidden">Sent</HeaderCell>
            <HeaderCell className="w-32 text-right!">Confirmed</HeaderCell>
          </TableHead>
          <tbody>
            {forms.map((form) => (
              <Row key={form.id}>
                <Cell>
                  <RowLink href={path(`forms/${form.id}`)} className="block truncate">
                    {form.name}
                  </RowLink>
                  <span className="block truncate text-xs text-soft">
                    {!form.open && <span className="font-medium sm:hidden">Closed · </span>}
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
                  <Part of={form.figures.seen} part={form.figures.sent} what="seen" />
                </Cell>
                <Cell className="text-right tabular-nums">
                  <Part of={form.figures.sent} part={form.figures.confirmed} what="sent" />
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
function Part({ part, of, what }: { part: number; of: number; what: string }) {
  return (
    <>
      {count(part)}
      {of > 0 && (
        <span className="block text-xs text-faint" title={`of ${count(of)} ${what}`}>
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
      title="No sign-up forms yet"
      action={
        may && (
          <LinkButton href={path("forms/new")} variant="primary">
            <Plus aria-hidden /> Create form
          </LinkButton>
        )
      }
    >
      A form is where people sign up by themselves: a page of its own to link to, or the same form
      on your website. They confirm by email, and you see how many saw it, sent it and confirmed.
    </EmptyState>
  );
}
