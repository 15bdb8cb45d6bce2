"use client";

import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

const mostOffered = 100;

/** Which list people join or leave, and what joining it does to them. */
export function ListChoice({
  value,
  onChange,
  none,
  joins,
  error = null,
  optional = false,
  disabled = false,
}: {
  /** Empty: none. */
  value: string;
  onChange: (listId: string) => void;
  /** What stands for none: `Choose a list`. */
  none: string;
  joins: boolean;
  error?: string | null;
  optional?: boolean;
  disabled?: boolean;
}) {
  const lists = useRead("GET /v1/lists", { query: { limit: mostOffered } });
  const offered = lists.data?.data ?? [];
  const list = offered.find(({ id }) => id === value);
  const joining = !list
    ? null
    : list.subscribeConfirmation
      ? "Each of them is sent an email, and is subscribed once they confirm."
      : `They are subscribed at once, so add only people who asked for it.${list.sendWelcomeEmail ? " Each of them is sent the welcome email." : ""}`;
  const missing =
    lists.isSuccess && offered.length === 0
      ? "There are no lists yet."
      : lists.data?.nextCursor
        ? `The ${mostOffered} newest lists are offered.`
        : null;
  return (
    <Field
      label="List"
      name="listId"
      optional={optional}
      error={error ?? (lists.error ? messageOf(lists.error) : null)}
      hint={(joins && joining) || missing}
    >
      <Select
        options={[
          { value: "", label: none },
          ...offered.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value}
        onChange={onChange}
        disabled={disabled}
      />
    </Field>
  );
}
