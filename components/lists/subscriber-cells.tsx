import clsx from "clsx";
import { fieldOf, isField } from "@/components/list-page/columns";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell } from "@/components/ui/table";
import type { ListMember } from "@/lib/domain/lists/schema";
import {
  memberSources,
  subscriberColumns,
  type fieldNames,
  type SubscriberColumn,
} from "./subscriber-columns";
import { SubscriberStatus } from "./subscriber-status";

const { words } = subscriberColumns;

const widths = {
  status: "w-40 max-sm:hidden",
  source: "w-32 max-md:hidden",
  createdAt: "w-32 text-right! max-sm:hidden",
  updatedAt: "w-36 text-right! max-md:hidden",
};

export function SubscriberHeader({
  column,
  names,
}: {
  column: SubscriberColumn;
  /** Of the list's fields. */
  names: ReturnType<typeof fieldNames>;
}) {
  if (!isField(column)) return <HeaderCell className={widths[column]}>{words[column]}</HeaderCell>;
  const key = fieldOf(column);
  const name = names.find((one) => one.key === key)?.label ?? key;
  return (
    <HeaderCell className="max-md:hidden md:w-32">
      <span className="block truncate normal-case" title={name}>
        {name}
      </span>
    </HeaderCell>
  );
}

export function SubscriberCell({
  column,
  member,
}: {
  column: SubscriberColumn;
  member: ListMember;
}) {
  if (column === "status") {
    return (
      <Cell className="max-sm:hidden">
        <SubscriberStatus member={member} />
      </Cell>
    );
  }
  if (column === "createdAt" || column === "updatedAt") {
    return (
      <Cell className={clsx("text-soft", widths[column])}>
        <RelativeTime value={member[column]} />
      </Cell>
    );
  }
  const text = isField(column) ? valueOf(member, fieldOf(column)) : memberSources[member.source];
  return (
    <Cell className={clsx("max-md:hidden", text === "–" && "text-faint")}>
      <span className="block truncate" title={text}>
        {text}
      </span>
    </Cell>
  );
}

/** A dash where there is none. */
const valueOf = ({ fields }: ListMember, tag: string) =>
  (Object.hasOwn(fields, tag) && fields[tag]) || "–";
