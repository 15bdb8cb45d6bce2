"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm, type Form } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Field, Input } from "@/components/ui/field";
import { count } from "@/components/ui/numbers";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { goalFigures, goalPeriods, type GoalFigure, type GoalPeriod } from "@/db/enums";
import { goalInput, type Goal, type GoalUpdate } from "@/lib/domain/goals/schema";
import { goalRules } from "@/lib/domain/goals/terms";
import { phrases, t } from "@/lib/ground/texts/t";
import { figureNames, goalName, targetText, typedTarget } from "./goal-words";

interface Draft {
  figure: GoalFigure;
  period: GoalPeriod;
  /** As it is typed. */
  target: string;
}
const draftOf = ({ figure, period, target }: Goal): Draft => ({
  figure,
  period,
  target: targetText(target),
});
const inputOf = (draft: Draft) => ({ ...draft, target: typedTarget(draft.target) });
const labels = phrases({ figure: "Figure", period: "Period", target: "Target" });
const periodNames: Record<GoalPeriod, string> = phrases({
  week: "This week",
  month: "This month",
  quarter: "This quarter",
});

/** Sets a goal; begins with the first that is not set yet. */
export function AddGoal({ goals, onClose }: { goals: readonly Goal[]; onClose: () => void }) {
  const api = useApi();
  const [first] = goalFigures
    .flatMap((figure) =>
      (["month", "week", "quarter"] as const).map((period) => ({ figure, period })),
    )
    .filter((one) =>
      goals.every(({ figure, period }) => figure !== one.figure || period !== one.period),
    );
  const form = useForm({
    initial: { figure: "newContacts", period: "month", ...first, target: "" },
    schema: goalInput,
    input: inputOf,
    send: (body) => api("POST /v1/overview/goals", { body }),
    onSent: (goal) => {
      toast.success(t("Goal “{name}” set", { name: goalName(goal) }));
      onClose();
    },
    leaves: true,
  });
  return (
    <DialogForm title={t("Set a goal")} action={t("Set goal")} onClose={onClose} form={form}>
      <Field label={labels.figure} name="figure" error={form.fault("figure")}>
        <Select
          label={labels.figure}
          value={form.draft.figure}
          // What was wrong with period and target may be right for this figure.
          onChange={(figure) => form.set({ ...form.draft, figure })}
          options={goalFigures.map((value) => ({ value, label: figureNames[value] }))}
        />
      </Field>
      <PeriodAndTarget form={form} />
    </DialogForm>
  );
}

/** Changes a goal's period and target. */
export function ChangeGoal({ goal, onClose }: { goal: Goal; onClose: () => void }) {
  const api = useApi();
  const params = { id: goal.id };
  const [saved, setSaved] = useState(goal);
  const saves = useSaves<Goal, Draft, Pick<GoalUpdate, "period" | "target">>({
    saved,
    onNewer: setSaved,
    draftOf,
    written: ({ period, target }) => ({
      ...(period !== undefined && { period }),
      ...(target !== undefined && { target: targetText(target) }),
    }),
    change: (body) => api("PATCH /v1/overview/goals/{id}", { params, body }),
    read: async () => {
      const { data } = await api("GET /v1/overview/goals", {});
      return data.find(({ id }) => id === goal.id) ?? saved;
    },
  });
  const form = useForm({
    initial: draftOf(goal),
    schema: goalInput,
    input: inputOf,
    send: ({ period, target }) =>
      saves.save(changedPart({ period: saved.period, target: saved.target }, { period, target })),
    onSent: (changed) => {
      toast.success(t("Goal “{name}” saved", { name: goalName(changed) }));
      onClose();
    },
    onUnchanged: onClose,
    leaves: true,
  });
  return (
    <DialogForm
      title={t("Change the goal “{name}”", { name: goalName(saved) })}
      action={t("Save")}
      onClose={onClose}
      form={form}
    >
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={(field) => labels[field]}
        tell={(draft, field) => (field === "period" ? periodNames[draft.period] : draft[field])}
      />
      <PeriodAndTarget form={form} />
    </DialogForm>
  );
}

function PeriodAndTarget({ form }: { form: Form<Draft> }) {
  const { figure, period } = form.draft;
  const { unit, direction, least, most } = goalRules[figure];
  return (
    <>
      <Field label={labels.period} name="period" error={form.fault("period")}>
        <Select
          label={labels.period}
          value={period}
          onChange={(next) => form.set({ period: next })}
          options={goalPeriods.map((value) => ({ value, label: periodNames[value] }))}
        />
      </Field>
      <Field
        label={direction === "atMost" ? t("At most") : t("At least")}
        name="target"
        hint={
          unit === "count"
            ? t(
                "Enter a whole number from {least} to {most}. It starts anew each {period, select, week {week} month {month} other {quarter}}.",
                { least: count(least), most: count(most), period },
              )
            : t(
                "Enter a percentage from {least} to {most}, with two decimals at most. It starts anew each {period, select, week {week} month {month} other {quarter}}.",
                { least: count(least), most: count(most), period },
              )
        }
        error={form.fault("target")}
      >
        <Input
          {...form.text("target")}
          inputMode={unit === "count" ? "numeric" : "decimal"}
          maxLength={20}
          autoComplete="off"
        />
      </Field>
    </>
  );
}
