"use client";

import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { phrases, t } from "@/lib/ground/texts/t";
import { LatestTime } from "./latest-time";
import type { StepProps } from "./composer-steps";

const modes = phrases([
  { value: "together", label: "Everybody at once", hint: "As soon as the campaign starts." },
  {
    value: "local",
    label: "At their local time",
    hint: "At the same hour on each person’s own clock, within a day.",
  },
  {
    value: "reader",
    label: "When they usually read",
    hint: "At the hour when each person mostly opens your mail. A tenth get it at the ordinary time instead, for comparison.",
  },
]);

/** Chooses whether everybody gets it at once, or each person at a time of their own. */
export function PersonalTimeStep({ draft, set, fault }: StepProps) {
  const fails = fault("personalTime");
  return (
    <>
      <ChoiceCards
        label={t("When people get it")}
        options={modes}
        value={draft.timing}
        onChange={(timing) => set({ timing })}
      />
      {fails && (
        <Callout kind="danger" alert>
          {fails}
        </Callout>
      )}
      {draft.timing !== "together" && (
        <Field
          label={draft.timing === "local" ? t("Local time") : t("Local time for everybody else")}
          error={fault("personalTime.at")}
          hint={t(
            "By their time zone or country, where the contact’s data has one; else the campaign’s time zone. While a domain is being warmed up, its daily cap decides instead.",
          )}
          className="max-w-xs"
        >
          <Input
            type="time"
            value={draft.localTime}
            onChange={({ target }) => set({ localTime: target.value })}
          />
        </Field>
      )}
      <LatestTime
        value={draft.sendBefore}
        onChange={(sendBefore) => set({ sendBefore })}
        error={fault("sendBefore")}
      />
    </>
  );
}
