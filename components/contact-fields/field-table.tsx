"use client";

import { ArrowDown, ArrowUp, Braces } from "lucide-react";
import { useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { EmptyState } from "@/components/list-page/empty-state";
import { IconButton } from "@/components/ui/button";
import { CopyableCode } from "@/components/ui/copy-button";
import { count } from "@/components/ui/numbers";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { ContactField } from "@/lib/domain/contact-fields/schema";
import { t } from "@/lib/ground/texts/t";
import { EditField } from "./field-form";
import { RemoveEverywhere } from "./remove-dialog";
import { RenameEverywhere } from "./rename-dialog";
import { SubjectMenu, type Doing } from "./subject-menu";
import { kindNames, placeholderOf } from "./words";

/** The project's custom fields: the described ones in their order, then what else contacts hold. */
export function FieldTable({
  fields,
  counted,
  refresh,
}: {
  fields: readonly ContactField[];
  /** Reads them again. */
  refresh: () => Promise<unknown>;
  /** Of how many people the figures are, and from when. */
  counted: ReactNode;
}) {
  const may = useMay("editor");
  const [doing, setDoing] = useState<{ what: Doing; field: ContactField } | null>(null);
  const close = () => setDoing(null);
  const move = useMove(refresh);
  if (fields.length === 0) {
    return (
      <EmptyState icon={Braces} title={t("No custom fields yet")}>
        {t(
          "Fields appear here once contacts have them, from an import, a form or your program. You can also add one beforehand, so that segments offer it.",
        )}
      </EmptyState>
    );
  }
  const described = fields.filter((field) => field.described).length;
  return (
    <>
      <p role="status" className="sr-only">
        {move.said}
      </p>
      <Table label={t("Custom fields")} className="table-fixed">
        <TableHead>
          {may && described > 1 && (
            <HeaderCell className="w-20 max-sm:hidden">
              <span className="sr-only">{t("Place")}</span>
            </HeaderCell>
          )}
          <HeaderCell className="max-sm:pl-0">{t("Field")}</HeaderCell>
          <HeaderCell className="w-40 max-sm:hidden">{t("Type")}</HeaderCell>
          <HeaderCell className="w-20 text-right!">{t("People")}</HeaderCell>
          {may && (
            <HeaderCell className="w-12">
              <span className="sr-only">{t("Actions")}</span>
            </HeaderCell>
          )}
        </TableHead>
        <tbody>
          {fields.map((field, index) => (
            <Row key={field.key}>
              {may && described > 1 && (
                <Cell className="max-sm:hidden">
                  {field.described && (
                    <span className="flex">
                      <IconButton
                        size="sm"
                        label={t("Move up: {key}", { key: field.key })}
                        aria-disabled={index === 0}
                        onClick={() => index > 0 && move.by(field, -1)}
                      >
                        <ArrowUp aria-hidden />
                      </IconButton>
                      <IconButton
                        size="sm"
                        label={t("Move down: {key}", { key: field.key })}
                        aria-disabled={index === described - 1}
                        onClick={() => index < described - 1 && move.by(field, 1)}
                      >
                        <ArrowDown aria-hidden />
                      </IconButton>
                    </span>
                  )}
                </Cell>
              )}
              <Cell className="max-sm:pl-0">
                <FieldName field={field} />
              </Cell>
              <Cell className="max-sm:hidden">
                <FieldType field={field} />
              </Cell>
              <Cell className="text-right">{count(field.contacts)}</Cell>
              {may && (
                <Cell className="text-right">
                  <SubjectMenu
                    name={field.key}
                    edit={field.described ? t("Edit…") : t("Describe…")}
                    onChoose={(what) => setDoing({ what, field })}
                  />
                </Cell>
              )}
            </Row>
          ))}
        </tbody>
      </Table>
      {counted}
      {doing?.what === "edit" && <EditField field={doing.field} onClose={close} />}
      {doing?.what === "rename" && (
        <RenameEverywhere kind="field" name={doing.field.key} onClose={close} />
      )}
      {doing?.what === "remove" && (
        <RemoveEverywhere kind="field" name={doing.field.key} onClose={close} />
      )}
    </>
  );
}

/** Moves fields; `said` is for screen readers. */
function useMove(refresh: () => Promise<unknown>) {
  const api = useApi();
  const [said, setSaid] = useState("");
  const move = useAction({
    mutationFn: ({ field, by }: { field: ContactField; by: -1 | 1 }) =>
      api("PUT /v1/contacts/fields/{key}", {
        params: { key: field.key },
        body: { position: (field.position ?? 1) + by },
      }),
    onSuccess: async ({ key, position }) => {
      setSaid(t("{key} is now at place {position}.", { key, position }));
      // The next press counts from the new place.
      await refresh();
    },
    onError: (error) =>
      toast.error(t("The field stays where it is"), { description: messageOf(error) }),
  });
  return { said, by: (field: ContactField, by: -1 | 1) => move.mutate({ field, by }) };
}

function FieldName({ field }: { field: ContactField }) {
  const placeholder = placeholderOf(field.key);
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium wrap-anywhere">{field.key}</span>
        {placeholder !== null && (
          <span className="min-w-0 text-soft">
            <CopyableCode text={placeholder} what={t("placeholder of {key}", { key: field.key })} />
          </span>
        )}
      </span>
      {field.description && (
        <span className="block text-soft wrap-anywhere">{field.description}</span>
      )}
      <span className="block sm:hidden">
        <FieldType field={field} />
      </span>
    </>
  );
}

function FieldType({ field: { kind, described, misfits } }: { field: ContactField }) {
  return (
    <>
      {kindNames[kind]}
      {!described && <span className="text-faint"> {t("(guessed)")}</span>}
      {misfits > 0 && (
        <span className="block text-xs text-warning">
          {t("{count, plural, one {# value does} other {# values do}} not fit", { count: misfits })}
        </span>
      )}
    </>
  );
}
