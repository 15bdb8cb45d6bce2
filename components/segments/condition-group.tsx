"use client";

import clsx from "clsx";
import { FolderPlus, Plus, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select, type SelectOption } from "@/components/ui/select";
import type { SegmentField, SegmentFilter } from "@/lib/domain/segments/schema";
import { isCountField, isPeriodOperator } from "@/lib/domain/segments/condition-schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { ConditionCount } from "./condition-count";
import { ConditionPeriod } from "./condition-period";
import { ConditionValue } from "./condition-value";
import { choiceOf, choicesFor, fieldName, findField, newCondition, withChoice } from "./fields";

const joins = phrases([
  { value: "and", label: "all of these" },
  { value: "or", label: "any of these" },
]);
const otherFieldPrefix = "data.";
const deepestGroup = 3;

interface Shared {
  fields: readonly SegmentField[];
  /** The sentence for a place such as `filter.and[0].value`, when something is wrong there. */
  fault: (place: string) => string | null;
  disabled: boolean;
}

/** Conditions and groups of them, joined by and or or. */
export function ConditionGroup({
  group,
  place,
  depth = 1,
  onChange,
  onRemove,
  ...shared
}: Shared & {
  group: SegmentFilter;
  /** `filter.and[0]` */
  place: string;
  depth?: number;
  onChange: (group: SegmentFilter) => void;
  onRemove?: () => void;
}) {
  const { fields, fault, disabled } = shared;
  const join = group.or ? "or" : "and";
  const parts = group.and ?? group.or ?? [];
  const set = (next: SegmentFilter[]) => {
    // An empty "any of these" would match nobody, and is refused.
    onChange(join === "and" || next.length === 0 ? { and: next } : { or: next });
  };
  const first = fields.find(({ field }) => field === "email") ?? findField(fields, "email");
  const error = fault(place) ?? fault(`${place}.${join}`);
  return (
    <div
      role="group"
      aria-label={depth === 1 ? t("Conditions") : t("Group of conditions")}
      className={clsx("flex flex-col gap-3", depth > 1 && "border-l-2 border-rule-strong pl-4")}
    >
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span>{depth === 1 ? t("People who match") : t("who match")}</span>
        <Select
          label={t("How the conditions are joined")}
          options={joins}
          value={join}
          onChange={(next) =>
            onChange(next === "or" && parts.length > 0 ? { or: parts } : { and: parts })
          }
          disabled={disabled}
          className="w-36!"
        />
        {onRemove && !disabled && (
          <IconButton label={t("Remove group")} size="sm" className="ml-auto" onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
      {parts.length === 0 && (
        <p className="text-sm text-faint">{t("No conditions yet, so everybody matches.")}</p>
      )}
      {parts.map((part, index) => {
        const at = `${place}.${join}[${index}]`;
        const change = (next: SegmentFilter) =>
          set(parts.map((sibling, position) => (position === index ? next : sibling)));
        const remove = () => set(parts.filter((_, position) => position !== index));
        return part.and || part.or ? (
          <ConditionGroup
            key={index}
            {...shared}
            group={part}
            place={at}
            depth={depth + 1}
            onChange={change}
            onRemove={remove}
          />
        ) : (
          <ConditionRow
            key={index}
            {...shared}
            condition={part}
            place={at}
            onChange={change}
            onRemove={remove}
          />
        );
      })}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {!disabled && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => set([...parts, newCondition(first)])}>
            <Plus aria-hidden /> {t("Add condition")}
          </Button>
          {depth < deepestGroup && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() =>
                set([...parts, { [join === "and" ? "or" : "and"]: [newCondition(first)] }])
              }
            >
              <FolderPlus aria-hidden /> {t("Add group")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function ConditionRow({
  condition,
  place,
  onChange,
  onRemove,
  fields,
  fault,
  disabled,
}: Shared & {
  condition: SegmentFilter;
  place: string;
  onChange: (condition: SegmentFilter) => void;
  onRemove: () => void;
}) {
  const name = condition.field ?? "";
  const field = findField(fields, name);
  const unknown = !fields.some((candidate) => candidate.field === name);
  const isOther = unknown && name.startsWith(otherFieldPrefix);
  const options: SelectOption<string>[] = [
    ...fields.map((choice) => ({
      value: choice.field,
      label: fieldName(choice.field, choice.label),
    })),
    ...(unknown && !isOther ? [{ value: name, label: fieldName(name) }] : []),
    { value: otherFieldPrefix, label: t("Other attribute…") },
  ];
  return (
    <div className="flex flex-wrap items-start gap-2 sm:flex-nowrap">
      <Field
        label={t("Field")}
        labelHidden
        className="w-full sm:w-44"
        error={fault(`${place}.field`)}
      >
        <Select
          options={options}
          value={isOther ? otherFieldPrefix : name}
          onChange={(next) =>
            onChange(
              next === otherFieldPrefix
                ? { field: otherFieldPrefix, op: "eq", value: "" }
                : newCondition(findField(fields, next)),
            )
          }
          disabled={disabled}
        />
      </Field>
      {isOther && (
        <Field label={t("Attribute key")} labelHidden className="w-full sm:w-32">
          <Input
            value={name.slice(otherFieldPrefix.length)}
            placeholder={t("key")}
            autoComplete="off"
            spellCheck={false}
            maxLength={400}
            disabled={disabled}
            className="font-mono text-xs!"
            onChange={({ target }) =>
              onChange({ ...condition, field: otherFieldPrefix + target.value })
            }
          />
        </Field>
      )}
      <Field
        label={t("Comparison")}
        labelHidden
        className="w-36 shrink-0"
        error={fault(`${place}.op`)}
      >
        <Select
          options={choicesFor(field, choiceOf(condition))}
          value={choiceOf(condition)}
          onChange={(choice) => onChange(withChoice(condition, choice))}
          disabled={disabled}
        />
      </Field>
      {isCountField(name) ? (
        <ConditionCount
          condition={condition}
          fields={fields}
          onChange={onChange}
          fault={(key) => fault(`${place}.${key}`)}
          disabled={disabled}
        />
      ) : condition.op && isPeriodOperator(condition.op) ? (
        <ConditionPeriod
          condition={condition}
          onChange={onChange}
          error={fault(`${place}.days`) ?? fault(`${place}.hours`)}
          disabled={disabled}
        />
      ) : (
        <ConditionValue
          field={field}
          condition={condition}
          onChange={(value) => onChange({ ...condition, value })}
          error={fault(`${place}.value`)}
          disabled={disabled}
        />
      )}
      {!disabled && (
        <IconButton label={t("Remove condition")} className="ml-auto" onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
