"use client";

import { useProjectPath } from "@/components/api/project-context";
import { NamedSelect } from "@/components/named/named-select";
import { useNameOf } from "@/components/named/use-named";
import { Field } from "@/components/ui/field";
import { Link, textLink } from "@/components/ui/link";
import { t } from "@/lib/ground/texts/t";

/** Which template a list's or form's own email is written with. */
export function MailTemplateField({
  label,
  name,
  hint,
  standard,
  begin,
  value,
  onChange,
  error,
  disabled,
}: {
  label: string;
  name: string;
  hint: string;
  /** What goes out where none is chosen. */
  standard: string;
  /** The gallery's design that a new one begins with. */
  begin: string;
  value: string | null;
  onChange: (templateId: string | null) => void;
  error: string | null;
  disabled: boolean;
}) {
  const path = useProjectPath();
  const { gone } = useNameOf("template", value ?? "");
  return (
    <Field
      label={label}
      name={name}
      error={error}
      hint={
        <>
          {gone ? t("It no longer exists, so the standard email goes out instead.") : hint}{" "}
          {value !== null && !gone && (
            <Link className={textLink} href={path(`templates/${value}`)} target="_blank">
              {t("Edit it")}
            </Link>
          )}
          {(value === null || gone) && !disabled && (
            <Link className={textLink} href={path(`templates/new?begin=${begin}`)} target="_blank">
              {t("Write one")}
            </Link>
          )}
        </>
      }
    >
      <NamedSelect
        of="template"
        none={standard}
        value={value ?? ""}
        disabled={disabled}
        onChange={(templateId) => onChange(templateId || null)}
      />
    </Field>
  );
}
