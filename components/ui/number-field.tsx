"use client";

import { useState } from "react";
import { t } from "@/lib/ground/texts/t";
import { Field, Input } from "./field";

/** A whole number within bounds; a value outside them never leaves the field. */
export function NumberField({
  label,
  hint,
  value,
  least,
  most,
  optional = false,
  disabled = false,
  onChange,
}: {
  label: string;
  hint?: string;
  value: number | null;
  least: number;
  most: number;
  /** Empty means null. */
  optional?: boolean;
  disabled?: boolean;
  onChange: (value: number | null) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? "" : String(value));
  const number = Number(text);
  const fits =
    text.trim() === "" ? optional : Number.isInteger(number) && number >= least && number <= most;
  return (
    <Field
      label={label}
      optional={optional}
      hint={hint}
      error={fits ? null : t("Enter a whole number from {least} to {most}.", { least, most })}
    >
      <Input
        value={text}
        disabled={disabled}
        inputMode="numeric"
        autoComplete="off"
        onChange={({ target }) => {
          const next = target.value;
          setTyped(next);
          if (next.trim() === "") {
            if (optional) onChange(null);
            return;
          }
          const parsed = Number(next);
          if (Number.isInteger(parsed) && parsed >= least && parsed <= most) onChange(parsed);
        }}
        onBlur={() => fits && setTyped(null)}
      />
    </Field>
  );
}
