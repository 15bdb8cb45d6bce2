"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { SuggestInput } from "@/components/ui/suggest-input";
import type { SegmentField, SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { readValue } from "./fields";

const yesNo = phrases({ true: "yes", false: "no" });
const subscribed = phrases({ true: "Subscribed", false: "Not subscribed" });

/** A value as people read it; for a list, its name. */
function shown({ kind, values }: SegmentField, value: SegmentScalar): string {
  if (kind === "outcome") {
    return t(
      "{outcome, select, sent {sent} delivered {delivered} opened {opened} clicked {clicked} not_opened {not_opened} not_clicked {not_clicked} bounced {bounced} complained {complained} unsubscribed {unsubscribed} other {{outcome}}}",
      { outcome: String(value) },
    );
  }
  return values.find((choice) => choice.value === value)?.label ?? String(value);
}

/**
 * The control for a condition's value, to suit its field and operator. Nothing if they need none.
 */
export function ConditionValue({
  field,
  condition,
  onChange,
  error,
  disabled,
}: {
  field: SegmentField;
  condition: SegmentFilter;
  onChange: (value: SegmentScalar | SegmentScalar[]) => void;
  error: string | null;
  disabled: boolean;
}) {
  const { op, value } = condition;
  if (op === "exists") return null;
  const single = Array.isArray(value) ? "" : (value ?? "");
  const label = t("Value");
  if (op === "in") {
    return (
      <ValueList
        field={field}
        values={[value ?? []].flat().filter((entry) => entry !== "")}
        onChange={onChange}
        error={error}
        disabled={disabled}
      />
    );
  }
  if (field.kind === "boolean") {
    const words = field.field === "subscribed" ? subscribed : yesNo;
    return (
      <Field label={label} labelHidden error={error} className="flex-1">
        <Select
          options={(["true", "false"] as const).map((text) => ({
            value: text,
            label: words[text],
          }))}
          value={String(single) === "false" ? "false" : "true"}
          onChange={(text) => onChange(text === "true")}
          disabled={disabled}
        />
      </Field>
    );
  }
  if (field.kind === "list" || field.kind === "outcome") {
    const isListed = field.values.some((choice) => choice.value === single);
    const options = [...(isListed ? [] : [{ value: single }]), ...field.values].map((choice) => ({
      value: String(choice.value),
      label: choice.value === "" ? t("Choose one") : shown(field, choice.value),
    }));
    return (
      <Field label={label} labelHidden error={error} className="flex-1">
        <Select options={options} value={String(single)} onChange={onChange} disabled={disabled} />
      </Field>
    );
  }
  if (field.kind === "date" && (single === "" || /^\d{4}-\d\d-\d\d$/.test(String(single)))) {
    return (
      <Field label={label} labelHidden error={error} className="min-w-0 flex-1">
        <Input
          type="date"
          value={String(single)}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
    );
  }
  return (
    <Field label={label} labelHidden error={error} className="flex-1">
      <SuggestInput
        value={String(single)}
        onChange={(text) => onChange(readValue(field.kind, text))}
        suggestions={field.values.map((choice) => String(choice.value))}
        placeholder={t("value")}
        disabled={disabled}
        inputMode={field.kind === "number" ? "decimal" : "text"}
      />
    </Field>
  );
}

/** Several values, one of which has to match: Enter adds what was typed. */
function ValueList({
  field,
  values,
  onChange,
  error,
  disabled,
}: {
  field: SegmentField;
  values: readonly SegmentScalar[];
  onChange: (values: SegmentScalar[]) => void;
  error: string | null;
  disabled: boolean;
}) {
  const [text, setText] = useState("");
  const add = (typed: string) => {
    setText("");
    const word = typed.trim();
    if (!word) return;
    const named = field.values.find((choice) => shown(field, choice.value) === word)?.value;
    const fresh = named ?? readValue(field.kind, word);
    if (!values.includes(fresh)) onChange([...values, fresh]);
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      <Field label={t("Another value")} labelHidden error={error}>
        <SuggestInput
          value={text}
          onChange={setText}
          onChoose={add}
          onBlur={() => add(text)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.metaKey || event.ctrlKey || !text.trim()) return;
            event.preventDefault();
            add(text);
          }}
          suggestions={field.values
            .filter((choice) => !values.includes(choice.value))
            .map((choice) => shown(field, choice.value))}
          placeholder={t("value, then Enter")}
          disabled={disabled}
        />
      </Field>
      {values.length > 0 && (
        <ul aria-label={t("Values")} className="flex flex-wrap gap-1.5">
          {values.map((value) => (
            <li
              key={`${typeof value}:${value}`}
              className="inline-flex max-w-full items-center rounded-sm bg-neutral-wash pl-2 text-xs font-medium text-soft"
            >
              <span className="truncate">{shown(field, value)}</span>
              <IconButton
                label={t("Remove {value}", { value: shown(field, value) })}
                size="sm"
                disabled={disabled}
                className="size-7!"
                onClick={() => onChange(values.filter((other) => other !== value))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
