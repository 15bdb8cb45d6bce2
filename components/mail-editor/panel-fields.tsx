"use client";

import { useState } from "react";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/ground/texts/t";
import { toLink } from "./link-target";

/** Where something leads. What leads nowhere yet stays in the field and out of the email. */
export function LinkField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (href: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed !== null && typed.trim() !== "" && toLink(typed) === null;
  return (
    <Field label={label} error={wrong ? t("Enter a web address like https://example.com.") : null}>
      <Input
        value={typed ?? value}
        autoComplete="off"
        inputMode="url"
        placeholder="https://"
        onChange={({ target }) => {
          setTyped(target.value);
          const link = toLink(target.value);
          if (target.value.trim() === "") onChange("");
          else if (link !== null) onChange(link);
        }}
        onBlur={() => !wrong && setTyped(null)}
      />
    </Field>
  );
}

export function AlignField({
  value,
  onChange,
}: {
  value: string;
  onChange: (align: string) => void;
}) {
  return (
    <Field label={t("Alignment")}>
      <Select
        options={[
          { value: "left", label: t("Left") },
          { value: "center", label: t("Centre") },
          { value: "right", label: t("Right") },
        ]}
        value={value}
        onChange={onChange}
      />
    </Field>
  );
}
