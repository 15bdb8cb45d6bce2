"use client";

import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { NamedSelect } from "@/components/named/named-select";
import { Field } from "@/components/ui/field";
import { t } from "@/lib/ground/texts/t";

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
  const lists = useRead("GET /v1/lists", { query: { limit: 1 } });
  const { data: list } = useRead(
    "GET /v1/lists/{id}",
    { params: { id: value } },
    { enabled: value !== "", retry: false },
  );
  const joining = !list
    ? null
    : list.subscribeConfirmation
      ? t("Each of them is sent an email, and is subscribed once they confirm.")
      : list.sendWelcomeEmail
        ? t(
            "They are subscribed at once, so add only people who asked for it. Each of them is sent the welcome email.",
          )
        : t("They are subscribed at once, so add only people who asked for it.");
  const missing = lists.data?.data.length === 0 ? t("There are no lists yet.") : null;
  return (
    <Field
      label={t("List")}
      name="listId"
      optional={optional}
      error={error ?? (lists.error ? messageOf(lists.error) : null)}
      hint={(joins && joining) || missing}
    >
      <NamedSelect of="list" none={none} value={value} onChange={onChange} disabled={disabled} />
    </Field>
  );
}
