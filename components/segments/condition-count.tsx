"use client";

import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { mostCounted } from "@/lib/domain/segments/condition-schema";
import type { SegmentField, SegmentFilter } from "@/lib/domain/segments/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { ConditionPeriod } from "./condition-period";
import { WholeNumber } from "./whole-number";

const anyMail = "any";
const periods = phrases([
  { value: "last", label: "in the last" },
  { value: "ever", label: "ever" },
  { value: "between", label: "between" },
]);
type Period = (typeof periods)[number]["value"];

function periodOf(condition: SegmentFilter): Period {
  if ("days" in condition || "hours" in condition) return "last";
  return "from" in condition || "to" in condition ? "between" : "ever";
}

/** How many emails, in which period, and of which campaign. */
export function ConditionCount({
  condition,
  fields,
  onChange,
  fault,
  disabled,
}: {
  condition: SegmentFilter;
  /** Those of the project: its campaigns are among them. */
  fields: readonly SegmentField[];
  onChange: (condition: SegmentFilter) => void;
  /** The sentence for `value`, `days` and so on, when something is wrong there. */
  fault: (key: string) => string | null;
  disabled: boolean;
}) {
  const { field, op, value, campaign, from, to } = condition;
  const whole = { field, op, value, ...(campaign === undefined ? {} : { campaign }) };
  const period = periodOf(condition);
  const choose = (next: Period) =>
    onChange({
      ...whole,
      ...(next === "last" ? { days: 30 } : next === "between" ? { from: "", to: "" } : {}),
    });
  const campaigns = fields.flatMap(({ field, label }) =>
    field.startsWith("campaign.")
      ? [
          {
            value: field.slice("campaign.".length),
            label: t("of “{campaign}”", { campaign: label ?? field }),
          },
        ]
      : [],
  );
  const isListed = campaigns.some((candidate) => candidate.value === campaign);
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
      <WholeNumber
        label={t("Emails")}
        value={typeof value === "number" ? value : undefined}
        least={op === "at_least" ? 1 : 0}
        most={mostCounted}
        onChange={(next) => onChange({ ...condition, value: next })}
        error={fault("value")}
        disabled={disabled}
      />
      <Select
        label={t("Period")}
        options={periods}
        value={period}
        onChange={choose}
        disabled={disabled}
        className="w-32!"
      />
      {period === "last" && (
        <ConditionPeriod
          condition={condition}
          onChange={onChange}
          error={fault("days") ?? fault("hours")}
          disabled={disabled}
        />
      )}
      {period === "between" &&
        [["from", from] as const, ["to", to] as const].map(([key, day]) => (
          <Field
            key={key}
            label={t("{edge, select, from {From} other {To}}", { edge: key })}
            labelHidden
            error={fault(key)}
            className="w-40"
          >
            <Input
              type={/^(\d{4}-\d\d-\d\d)?$/.test(day ?? "") ? "date" : "text"}
              value={day ?? ""}
              disabled={disabled}
              onChange={({ target }) => onChange({ ...condition, [key]: target.value })}
            />
          </Field>
        ))}
      <Field
        label={t("Campaign")}
        labelHidden
        error={fault("campaign")}
        className="w-56 max-w-full"
      >
        <Select
          options={[
            { value: anyMail, label: t("of any mail") },
            ...campaigns,
            ...(campaign === undefined || isListed
              ? []
              : [{ value: campaign, label: t("of another campaign") }]),
          ]}
          value={campaign ?? anyMail}
          onChange={(next) => {
            const { campaign: _, ...others } = condition;
            onChange(next === anyMail ? others : { ...others, campaign: next });
          }}
          disabled={disabled}
        />
      </Field>
    </div>
  );
}
