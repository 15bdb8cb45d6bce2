"use client";

import { ListChoice } from "@/components/contacts/list-choice";
import { TagInput } from "@/components/contacts/tag-input";
import { t } from "@/lib/ground/texts/t";

export interface Extras {
  tags: string[];
  /** Empty: none. */
  listId: string;
}

/** What is done with everybody in the file besides: the list they join, and their tags. */
export function ImportExtras({
  value,
  onChange,
  disabled,
}: {
  value: Extras;
  onChange: (value: Extras) => void;
  disabled: boolean;
}) {
  return (
    <fieldset className="mt-6 grid gap-4 sm:grid-cols-2">
      <legend className="eyebrow mb-2">{t("For everybody in the file")}</legend>
      <ListChoice
        value={value.listId}
        onChange={(listId) => onChange({ ...value, listId })}
        none={t("None")}
        joins
        optional
        disabled={disabled}
      />
      <TagInput
        value={value.tags}
        onChange={(tags) => onChange({ ...value, tags })}
        disabled={disabled}
      />
    </fieldset>
  );
}
