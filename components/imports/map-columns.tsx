"use client";

import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { phrases, t } from "@/lib/ground/texts/t";
import type { CsvPreview } from "./csv-preview";
import type { ColumnKind } from "@/lib/domain/imports/kinds-schema";
import { guessKinds, isReadable, type ColumnChoice } from "./mapping";

const targets = phrases([
  { value: "email", label: "Email address" },
  { value: "firstName", label: "First name" },
  { value: "lastName", label: "Last name" },
  { value: "tags", label: "Tags", hint: "Separated by commas or semicolons" },
  { value: "subscribed", label: "Subscribed", hint: "true or false, yes or no" },
  { value: "unsubscribed", label: "Unsubscribed", hint: "true or false, or the time they left" },
  { value: "data", label: "Custom attribute" },
  { value: "attributes", label: "Custom attributes (JSON)", hint: 'As {"plan": "pro"}' },
  { value: "skip", label: "Leave out" },
]);

const kindWords: Readonly<Record<ColumnKind, string>> = phrases({
  text: "Text",
  number: "Number",
  boolean: "True or false",
  date: "Date",
});

/** The kinds of an attribute; first what the file suggests, which holds until somebody chooses. */
const kindOptions = (guess: ColumnKind) => [
  {
    value: "auto",
    label: t("{kind} (recognised)", { kind: kindWords[guess] }),
    hint:
      guess === "text"
        ? t("Detected from the first rows")
        : t("Detected from the first rows; text if any row differs"),
  },
  { value: "text", label: t("Text") },
  { value: "number", label: t("Number"), hint: t("1234.5 or 1.234,5; other rows are refused") },
  { value: "boolean", label: t("True or false"), hint: t("Or yes and no; other rows are refused") },
  { value: "date", label: t("Date"), hint: t("2026-03-31 or 31.03.2026; other rows are refused") },
];

/** The first values of a column that are not empty, each once. */
function samples(preview: CsvPreview, column: number): string {
  const values = new Set(preview.rows.map((row) => (row[column] ?? "").trim()).filter(Boolean));
  return [...values].slice(0, 3).join(" · ");
}

/** Each column of the file, what it holds and what it becomes. */
export function MapColumns({
  preview,
  choices,
  faults,
  disabled,
  onChange,
}: {
  preview: CsvPreview;
  choices: readonly ColumnChoice[];
  faults: ReadonlyMap<number, string>;
  disabled: boolean;
  onChange: (choices: ColumnChoice[]) => void;
}) {
  const change = (index: number, part: Partial<ColumnChoice>) =>
    onChange(choices.map((choice, at) => (at === index ? { ...choice, ...part } : choice)));
  const guesses = guessKinds(choices, preview.rows);
  return (
    <Table label={t("Columns")} className="table-fixed">
      <TableHead>
        <HeaderCell className="w-1/3 sm:w-1/5">{t("Column")}</HeaderCell>
        <HeaderCell className="max-sm:hidden">{t("First values")}</HeaderCell>
        <HeaderCell className="sm:w-[60%]">{t("Becomes")}</HeaderCell>
      </TableHead>
      <tbody>
        {choices.map((choice, index) => {
          const name = preview.header[index] || t("Column {number}", { number: index + 1 });
          const fault = faults.get(index) ?? null;
          return (
            <Row key={index}>
              <Cell className="align-top!">
                <span className="block truncate pt-2 font-medium">{name}</span>
              </Cell>
              <Cell className="align-top! max-sm:hidden">
                <span className="line-clamp-2 pt-2 wrap-anywhere text-soft">
                  {samples(preview, index) || <span className="text-faint">{t("empty")}</span>}
                </span>
              </Cell>
              <Cell>
                <div className="flex flex-col gap-2 sm:flex-row sm:items-start">
                  <Select
                    label={t("What “{name}” becomes", { name })}
                    options={targets}
                    value={choice.target}
                    disabled={disabled}
                    onChange={(target) => change(index, { target })}
                    className="sm:w-48!"
                  />
                  {choice.target === "data" ? (
                    <>
                      <Select
                        label={t("Kind of “{name}”", { name })}
                        options={kindOptions(guesses[index] ?? "text")}
                        value={choice.kind ?? "auto"}
                        disabled={disabled}
                        onChange={(kind) =>
                          change(index, { kind: kind === "auto" ? null : (kind as ColumnKind) })
                        }
                        className="sm:w-44!"
                      />
                      <Field
                        label={t("Key of “{name}”", { name })}
                        labelHidden
                        error={fault}
                        {...(choice.key.trim() && !isReadable(choice.key)
                          ? {
                              hint: t(
                                "Emails cannot use this key: letters, digits and underscores only.",
                              ),
                            }
                          : choice.key.trim() !== name
                            ? {
                                hint: t("{placeholder} in emails", {
                                  placeholder: `{{ ${choice.key.trim()} }}`,
                                }),
                              }
                            : {})}
                        className="min-w-0 flex-1"
                      >
                        <Input
                          value={choice.key}
                          maxLength={100}
                          spellCheck={false}
                          disabled={disabled}
                          className="font-mono text-xs!"
                          onChange={({ target }) => change(index, { key: target.value })}
                        />
                      </Field>
                    </>
                  ) : (
                    fault && <p className="text-sm text-danger sm:pt-2">{fault}</p>
                  )}
                </div>
              </Cell>
            </Row>
          );
        })}
      </tbody>
    </Table>
  );
}
