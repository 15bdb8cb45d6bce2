"use client";

import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Checkbox } from "@/components/ui/checkbox";
import type { MailingListField } from "@/lib/domain/lists/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { contactTags } from "./field-tags";

export type FieldValues = Record<string, string>;

/** What a list asks for besides the address and names, each by its type. */
export function MemberFields({
  fields,
  value,
  onChange,
  fault,
}: {
  fields: readonly MailingListField[];
  value: FieldValues;
  onChange: (value: FieldValues) => void;
  fault: (tag: string) => string | null;
}) {
  return fields
    .filter(({ tag }) => !contactTags.includes(tag))
    .map((field) => (
      <MemberField
        key={field.tag}
        field={field}
        value={value[field.tag] ?? ""}
        error={fault(field.tag)}
        onChange={(text) => onChange({ ...value, [field.tag]: text })}
      />
    ));
}

const hints: Partial<Record<MailingListField["type"], string>> = phrases({
  number: "A number, with a point for decimals.",
  datetime: "YYYY-MM-DD, followed by HH:MM if needed.",
});

function MemberField({
  field,
  value,
  error,
  onChange,
}: {
  field: MailingListField;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}) {
  const options = field.options ?? [];
  if (field.type === "checkbox") {
    const chosen = value.split(",").map((option) => option.trim());
    return (
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">{field.label}</legend>
        {options.length === 0 ? (
          <Checkbox
            label={t("Yes")}
            checked={value === "1"}
            onChange={(on) => onChange(on ? "1" : "0")}
          />
        ) : (
          options.map((option) => (
            <Checkbox
              key={option}
              label={option}
              checked={chosen.includes(option)}
              onChange={(on) =>
                onChange(
                  options
                    .filter((other) => (other === option ? on : chosen.includes(other)))
                    .join(","),
                )
              }
            />
          ))
        )}
        {error && (
          <p role="alert" className="text-sm text-danger">
            {error}
          </p>
        )}
      </fieldset>
    );
  }
  return (
    <Field
      label={field.label}
      name={field.tag}
      optional={!field.required}
      error={error}
      hint={hints[field.type]}
    >
      {field.type === "dropdown" && options.length > 0 ? (
        <Select
          options={[
            { value: "", label: t("Not set") },
            ...options.map((option) => ({ value: option, label: option })),
          ]}
          value={value}
          onChange={onChange}
        />
      ) : (
        <Input
          autoComplete="off"
          inputMode={field.type === "number" ? "decimal" : "text"}
          placeholder={field.type === "datetime" ? "2026-03-31" : undefined}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
