"use client";

import { Plus, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { t } from "@/lib/ground/texts/t";
import type { AttributeRow } from "./attributes";

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
          <Field
            label={t("Key {number}", { number: index + 1 })}
            labelHidden
            className="w-2/5"
            error={row.key.trim() && double(row.key) ? t("This key is used twice.") : null}
          >
            <Input
              value={row.key}
              placeholder={t("key")}
              maxLength={100}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-xs!"
              onChange={({ target }) => change(index, { key: target.value })}
            />
          </Field>
          <Field
            label={
              row.key
                ? t("Value of {key}", { key: row.key })
                : t("Value of key {number}", { number: index + 1 })
            }
            labelHidden
            className="flex-1"
          >
            <Input
              value={row.text}
              placeholder={t("value")}
              autoComplete="off"
              onChange={({ target }) => change(index, { text: target.value })}
            />
          </Field>
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
