import clsx from "clsx";
import type { ComponentProps } from "react";
import { fieldOf, isField } from "@/components/list-page/columns";
import { SortHeader } from "@/components/list-page/sort-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell } from "@/components/ui/table";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { contactColumns, fieldText, type Column } from "./columns";
import { stateOf } from "./person-state";
import { PersonStatus } from "./person-status";

type Sorting = Pick<ComponentProps<typeof SortHeader>, "href" | "query" | "byDefault">;

const tagsShown = 3;
const { words } = contactColumns;

const widths = {
  subscription: "w-36",
  tags: "w-1/4",
  createdAt: "w-32 text-right!",
  updatedAt: "w-36 text-right!",
};

/** Beside custom fields every column has a width: the table scrolls where there is not room for all. */
export const personWidth = (columns: readonly Column[]) => (columns.some(isField) ? "md:w-60" : "");

const widthOf = (column: Column, columns: readonly Column[]) => {
  if (isField(column)) return "md:w-32";
  return column === "tags" && columns.some(isField) ? "md:w-40" : widths[column];
};

/** Where a column that is not the first one is left out: a phone has room for one. */
export const narrower = (column: Column) =>
  column === "createdAt" ? "max-sm:hidden" : "max-md:hidden";

export function ColumnHeader({
  column,
  columns,
  sorting,
  className,
}: {
  column: Column;
  /** All of them. */
  columns: readonly Column[];
  sorting: Sorting;
  className: string;
}) {
  const look = clsx(widthOf(column, columns), className);
  if (column === "createdAt") {
    return (
      <SortHeader {...sorting} up="createdAt" down="-createdAt" first="down" className={look}>
        {words.createdAt}
      </SortHeader>
    );
  }
  const name = isField(column) ? fieldOf(column) : words[column];
  return (
    <HeaderCell className={look}>
      <span className={clsx(isField(column) && "block truncate normal-case")} title={name}>
        {name}
      </span>
    </HeaderCell>
  );
}

export function ColumnCell({
  column,
  contact,
  className,
}: {
  column: Column;
  contact: Contact;
  className: string;
}) {
  if (isField(column)) {
    const text = fieldText(contact, fieldOf(column));
    return (
      <Cell className={clsx(className, text === "–" && "text-faint")}>
        <span className="block truncate" title={text}>
          {text}
        </span>
      </Cell>
    );
  }
  if (column === "subscription") {
    return (
      <Cell className={className}>
        <PersonStatus state={stateOf(contact)} />
      </Cell>
    );
  }
  if (column === "tags") {
    const more = contact.tags.length - tagsShown;
    return (
      <Cell className={className}>
        <span className="flex flex-wrap gap-1 overflow-hidden">
          {contact.tags.slice(0, tagsShown).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          {more > 0 && <span className="text-xs text-faint">{t("and {more} more", { more })}</span>}
        </span>
      </Cell>
    );
  }
  return (
    <Cell className={clsx("text-right text-soft", className)}>
      <RelativeTime value={contact[column]} />
    </Cell>
  );
}
