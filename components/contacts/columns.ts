import { amount } from "@/lib/ground/amount";
import { isField, type ColumnSet, type FieldColumn } from "@/components/list-page/columns";
import { fullDay } from "@/components/ui/dates";
import type { Contact } from "@/lib/domain/contacts/schema";
import { phrases, t } from "@/lib/ground/texts/t";

export type OwnColumn = "subscription" | "tags" | "createdAt" | "updatedAt";

/** One of a contact's own, or a custom field. */
export type Column = OwnColumn | FieldColumn;

/** What the list shows beside a person, if the reader wants it. */
export const contactColumns: ColumnSet<OwnColumn, FieldColumn> = {
  cookie: "contact-columns",
  words: phrases({
    subscription: "Subscription",
    tags: "Tags",
    createdAt: "Added",
    updatedAt: "Last changed",
  }),
  usual: ["subscription", "tags", "createdAt"],
  more: { is: isField, before: ["createdAt", "updatedAt"] },
};

const instant = /^\d{4}-\d{2}-\d{2}($|T\d{2}:\d{2})/;

/** A custom field's value in a cell; a dash where there is none. */
export function fieldText({ data }: Contact, key: string): string {
  const value = Object.hasOwn(data, key) ? data[key] : null;
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number") return amount(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (typeof value !== "string") return JSON.stringify(value);
  const time = instant.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? value : fullDay(new Date(time), "UTC");
}
