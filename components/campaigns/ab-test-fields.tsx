"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { EmailContent } from "@/components/mail-editor/content-editor";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { percent } from "@/components/ui/numbers";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { fewestVariants, mostVariants } from "@/lib/domain/ab-tests/terms";
import { currentLanguage, phrases, t } from "@/lib/ground/texts/t";
import type { StepProps } from "./composer-steps";
import { SampleHint } from "./sample-hint";
import { keysInStep, noVariant, waitWords, type VariantDraft } from "./variants";
import { VariantFields } from "./variant-fields";
import { VariantMark } from "./variant-mark";

/** The presets, and the current choice if it is none of them. */
function choices(presets: readonly number[], chosen: string, words: (value: number) => string) {
  const values = [...new Set([...presets, Number(chosen)])].toSorted((left, right) => left - right);
  return values.map((value) => ({ value: String(value), label: words(value) }));
}

const metrics = phrases([
  { value: "opens", label: "People who open" },
  { value: "clicks", label: "People who click" },
]);

/** An A/B test: the other variants, how many people try them, and what decides. */
export function AbTestFields({
  draft,
  set,
  fault,
  jump,
  people,
  content,
}: StepProps & {
  /** In the audience now. */
  people: number | undefined;
  /** The campaign's, which a variant's own begins with. */
  content: EmailContent;
}) {
  const { variants } = draft;
  // By position, one that moves up would take over what the removed one had open.
  const [known, setKeys] = useState<readonly number[]>([]);
  const keys = keysInStep(known, variants.length);
  const change = (index: number, part: Partial<VariantDraft>) =>
    set({
      variants: variants.map((variant, at) => (at === index ? { ...variant, ...part } : variant)),
    });
  const remove = (index: number) => {
    setKeys(keys.filter((_, at) => at !== index));
    set({ variants: variants.filter((_, at) => at !== index) });
  };
  return (
    <div className="flex flex-col gap-4 border-t pt-4">
      <Switch
        label={t("Try several subjects (A/B test)")}
        hint={t("Some people get them first. Everybody else gets the one that does best.")}
        checked={draft.abTest}
        onChange={(abTest) => set({ abTest })}
      />
      {draft.abTest && (
        <>
          <p className="flex items-center gap-3 text-sm">
            <VariantMark variant="A" />
            <span className="min-w-0 truncate">
              {draft.subject.trim() || <span className="text-faint">{t("The subject above")}</span>}
            </span>
          </p>
          <OwnOfFirst
            variant={variants[0] ?? noVariant}
            onClear={() => change(0, { ...noVariant, subject: variants[0]?.subject ?? "" })}
          />
          {variants.map(
            (variant, index) =>
              index > 0 && (
                <VariantFields
                  key={keys[index]}
                  index={index}
                  variant={variant}
                  change={(part) => change(index, part)}
                  content={content}
                  fault={(name) => fault(`abTest.variants[${index}].${name}`)}
                  jump={jump}
                  remove={variants.length > fewestVariants ? () => remove(index) : null}
                />
              ),
          )}
          {variants.length < mostVariants && (
            <div>
              <Button size="sm" onClick={() => set({ variants: [...variants, noVariant] })}>
                <Plus aria-hidden /> {t("Add a variant")}
              </Button>
            </div>
          )}
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label={t("In the test")} error={fault("abTest.testPercentage")}>
              <Select
                options={choices([5, 10, 20, 30, 40, 50], draft.testPercentage, (share) =>
                  t("{share} of the audience", { share: percent(share / 100) }),
                )}
                value={draft.testPercentage}
                onChange={(testPercentage) => set({ testPercentage })}
              />
            </Field>
            <Field label={t("Decided by")} error={fault("abTest.winnerMetric")}>
              <Select
                options={metrics}
                value={draft.winnerMetric}
                onChange={(winnerMetric) => set({ winnerMetric })}
              />
            </Field>
            <Field label={t("After")} error={fault("abTest.winnerAfterMinutes")}>
              <Select
                options={choices(
                  [60, 120, 240, 480, 720, 1440, 2880],
                  draft.winnerAfterMinutes,
                  waitWords,
                )}
                value={draft.winnerAfterMinutes}
                onChange={(winnerAfterMinutes) => set({ winnerAfterMinutes })}
              />
            </Field>
          </div>
          <SampleHint
            people={people}
            share={Number(draft.testPercentage) / 100}
            variants={variants.length}
            metric={draft.winnerMetric}
          />
        </>
      )}
    </div>
  );
}

/** What a program set for the first variant alone: it is sent instead of what the page shows. */
function OwnOfFirst({ variant, onClear }: { variant: VariantDraft; onClear: () => void }) {
  const own = [
    ...(variant.previewText
      ? [t("the preview text “{previewText}”", { previewText: variant.previewText })]
      : []),
    ...(variant.fromName ? [t("the sender name “{name}”", { name: variant.fromName })] : []),
    ...(variant.body ? [t("content")] : []),
  ];
  if (own.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pl-10 text-sm text-soft">
      <span className="min-w-0 wrap-anywhere">
        {t("A has {parts} of its own, in place of the campaign’s.", {
          parts: new Intl.ListFormat(currentLanguage()).format(own),
        })}
      </span>
      <Button size="sm" onClick={onClear}>
        {t("Use the campaign’s")}
      </Button>
    </div>
  );
}
