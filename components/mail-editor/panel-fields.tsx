"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
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
    <Field label={label} error={wrong ? "Enter a web address like https://example.com." : null}>
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

/** A whole number within bounds; what is out of them stays in the field alone. */
export function NumberField({
  label,
  hint,
  value,
  least,
  most,
  optional = false,
  onChange,
}: {
  label: string;
  hint?: string;
  value: number | null;
  least: number;
  most: number;
  /** Empty means null. */
  optional?: boolean;
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
      error={fits ? null : `Enter a whole number from ${least} to ${most}.`}
    >
      <Input
        value={text}
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

export function ColorField({
  label,
  value,
  standard,
  onChange,
  onStandard,
}: {
  label: string;
  value: string | null;
  /** Shown while there is none of its own. */
  standard: string;
  onChange: (color: string) => void;
  /** Takes its own colour away. */
  onStandard?: () => void;
}) {
  return (
    <div className="flex items-center gap-2 text-sm">
      <label className="flex flex-1 items-center gap-2.5">
        <input
          type="color"
          value={value ?? standard}
          onChange={({ target }) => onChange(target.value)}
          className="h-8 w-10 cursor-pointer rounded-md border border-control bg-sheet p-0.5"
        />
        <span className="flex-1">{label}</span>
        <span className="font-mono text-xs text-soft">{value ?? standard}</span>
      </label>
      {onStandard && value !== null && (
        <Button size="sm" variant="ghost" onClick={onStandard}>
          Reset<span className="sr-only"> {label}</span>
        </Button>
      )}
    </div>
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
    <Field label="Alignment">
      <Select
        options={[
          { value: "left", label: "Left" },
          { value: "center", label: "Centre" },
          { value: "right", label: "Right" },
        ]}
        value={value}
        onChange={onChange}
      />
    </Field>
  );
}
