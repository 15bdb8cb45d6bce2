"use client";

import { Section } from "@/components/ui/page-header";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { MailingListDetail, MailingListField } from "@/lib/domain/lists/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { AddField } from "./add-field";
import { contactTags } from "./field-tags";
import { useMailingList } from "./list-header";

export const fieldTypes: Record<MailingListField["type"], string> = phrases({
  text: "Text",
  number: "Number",
  datetime: "Date and time",
  dropdown: "One of several",
  checkbox: "Any of several, or yes and no",
});

/** What a list asks of its subscribers. */
export function ListFields({ list: initial }: { list: MailingListDetail }) {
  const list = useMailingList(initial).data;
  return (
    <Section
      title={t("Fields")}
      description={t(
        "What the list stores about each subscriber. Mail to the list can insert a field by its tag.",
      )}
      actions={<AddField list={list} />}
    >
      <Table label={t("Fields")}>
        <TableHead>
          <HeaderCell>{t("Field")}</HeaderCell>
          <HeaderCell>{t("Tag")}</HeaderCell>
          <HeaderCell className="max-sm:hidden">{t("Type")}</HeaderCell>
          <HeaderCell className="max-md:hidden">{t("Choices and default")}</HeaderCell>
        </TableHead>
        <tbody>
          {list.fields.map((field) => (
            <Row key={field.tag}>
              <Cell>
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{field.label}</span>
                  {field.required && <Badge tone="info">{t("required")}</Badge>}
                  {contactTags.includes(field.tag) && <Badge>{t("from the contact")}</Badge>}
                </span>
              </Cell>
              <Cell>
                <code className="font-mono text-xs">{field.tag}</code>
              </Cell>
              <Cell className="text-soft max-sm:hidden">{fieldTypes[field.type]}</Cell>
              <Cell className="text-soft max-md:hidden">
                {[
                  (field.options ?? []).join(", "),
                  field.defaultValue ? t("default: {value}", { value: field.defaultValue }) : "",
                ]
                  .filter(Boolean)
                  .join("; ") || "–"}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
