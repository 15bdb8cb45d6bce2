"use client";

import clsx from "clsx";
import { Plus, X } from "lucide-react";
import { useId, type ComponentProps } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { controlClass } from "@/components/ui/control-class";
import { t } from "@/lib/ground/texts/t";
import type { AttributeRow } from "./attributes";

/** Lighter than a Field, of which a person's data would be twenty: it sets up what it needs by itself. */
function Input({
  label,
  error = null,
  className,
  ...rest
}: ComponentProps<"input"> & { label: string; error?: string | null }) {
  const words = useId();
  return (
    <>
      <input
        {...rest}
        aria-label={label}
        autoComplete="off"
        className={clsx(controlClass, "h-10", className)}
        {...(error ? { "aria-invalid": true, "aria-describedby": words, "data-invalid": "" } : {})}
      />
      {error && (
        <p id={words} className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </>
  );
}

/** Custom data as rows of key and value. */
export function AttributeRows({
  rows,
  onChange,
  error,
  disabled = false,
}: {
  rows: readonly AttributeRow[];
  onChange: (rows: AttributeRow[]) => void;
  error?: string | null;
  disabled?: boolean;
}) {
  const change = (index: number, part: Partial<AttributeRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const double = (key: string) => rows.filter((row) => row.key.trim() === key.trim()).length > 1;
  return (
    <fieldset className="flex flex-col gap-2" disabled={disabled}>
      <legend className="mb-1.5 text-sm font-medium">{t("Custom data")}</legend>
      {rows.map((row, index) => (
        <div key={index} className="flex items-start gap-2">
          <div className="w-2/5">
            <Input
              label={t("Key {number}", { number: index + 1 })}
              value={row.key}
              error={row.key.trim() && double(row.key) ? t("This key is used twice.") : null}
              placeholder={t("key")}
              maxLength={100}
              spellCheck={false}
              className="font-mono text-xs!"
              onChange={({ target }) => change(index, { key: target.value })}
            />
          </div>
          <div className="flex-1">
            <Input
              label={
                row.key
                  ? t("Value of {key}", { key: row.key })
                  : t("Value of key {number}", { number: index + 1 })
              }
              value={row.text}
              placeholder={t("value")}
              onChange={({ target }) => change(index, { text: target.value })}
            />
          </div>
          <IconButton
            label={
              row.key
                ? t("Remove {key}", { key: row.key })
                : t("Remove key {number}", { number: index + 1 })
            }
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {!disabled && (
          <Button size="sm" onClick={() => onChange([...rows, { key: "", text: "" }])}>
            <Plus aria-hidden /> {t("Add attribute")}
          </Button>
        )}
        <p className="text-xs text-faint">
          {t("Templates use them as {{ key }}. Numbers, true, false and JSON keep their type.")}
        </p>
      </div>
    </fieldset>
  );
}
