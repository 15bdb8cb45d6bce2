"use client";

import { useState } from "react";
import { Field, Input } from "@/components/ui/field";
import { t } from "@/lib/ground/texts/t";

/** A whole number of a condition. What is none within its bounds leaves the condition open. */
export function WholeNumber({
  label,
  value,
  least,
  most,
  onChange,
  error,
  disabled,
}: {
  label: string;
  value: number | undefined;
  least: number;
  most: number;
  onChange: (value: number | undefined) => void;
  error: string | null;
  disabled: boolean;
}) {
  const [typed, setTyped] = useState("");
  const isMistyped = value === undefined && typed !== "";
  return (
    <Field
      label={label}
      labelHidden
      error={
        isMistyped ? t("Enter a whole number from {least} to {most}.", { least, most }) : error
      }
      className="w-20"
    >
      <Input
        value={value === undefined ? typed : String(value)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        disabled={disabled}
        className="tabular-nums"
        onChange={({ target }) => {
          const next = Number(target.value);
          const fits =
            target.value.trim() !== "" && Number.isInteger(next) && next >= least && next <= most;
          setTyped(target.value);
          onChange(fits ? next : undefined);
        }}
      />
    </Field>
  );
}
