"use client";

import type { ReactNode } from "react";
import type { Form as FormState } from "@/components/form/use-form";
import { NamedSelect } from "@/components/named/named-select";
import { ColorField } from "@/components/ui/color-field";
import { Field, Input } from "@/components/ui/field";
import { Island } from "@/components/ui/island";
import { NumberField } from "@/components/ui/number-field";
import { Select } from "@/components/ui/select";
import { Checkbox } from "@/components/ui/checkbox";
import { Switch } from "@/components/ui/switch";
import { standardColor } from "@/lib/ground/ink";
import { corners, themes, widths, type FormTheme } from "@/lib/domain/forms/terms";
import { phrases, t } from "@/lib/ground/texts/t";
import type { FormDraft } from "./draft";
import { withoutList } from "./questions";

interface Named {
  id: string;
  name: string;
}

/** What a form can be made of. */
export interface FormChoices {
  lists: readonly Named[];
  topics: readonly Named[];
  languages: readonly { code: string; name: string }[];
  /** Names of custom attributes that contacts have. */
  attributes: readonly string[];
  /** The project's; null: ours. */
  brandColor: string | null;
}

export interface PartProps {
  form: FormState<FormDraft>;
  choices: FormChoices;
  disabled: boolean;
}

/** A part of the editor, with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="display mb-3 text-xl">{title}</legend>
      <Island>{children}</Island>
    </fieldset>
  );
}

/** Name, and what people sign up for. */
export function AudiencePart({ form, choices, disabled }: PartProps) {
  const { draft, set, fault, faultWithin } = form;
  const toggle = (id: string, on: boolean) =>
    set({
      topicIds: choices.topics
        .map((topic) => topic.id)
        .filter((other) => (other === id ? on : draft.topicIds.includes(other))),
    });
  return (
    <Part title={t("What people sign up for")}>
      <Field label={t("Name")} name="name" hint={t("For you alone.")} error={fault("name")}>
        <Input {...form.text("name")} disabled={disabled} autoComplete="off" maxLength={200} />
      </Field>
      <Field
        label={t("List")}
        name="listId"
        hint={
          draft.listId
            ? t("People join this list, and its sender writes to them.")
            : t("Without a list, they subscribe to everything you send to all contacts.")
        }
        error={fault("listId")}
      >
        <NamedSelect
          of="list"
          none={t("No list: everything you send")}
          known={choices.lists}
          value={draft.listId}
          disabled={disabled}
          onChange={(listId) => set({ listId, questions: withoutList(draft.questions) })}
        />
      </Field>
      {choices.topics.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t("Topics")}</legend>
          <p className="text-xs text-faint">
            {t(
              "New subscribers get the topics you tick and no others. If you tick none, they get all of them.",
            )}
          </p>
          {choices.topics.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={draft.topicIds.includes(id)}
              disabled={disabled}
              onChange={(on) => toggle(id, on)}
            />
          ))}
          {faultWithin("topicIds") && (
            <p role="alert" className="text-sm text-danger">
              {faultWithin("topicIds")}
            </p>
          )}
        </fieldset>
      )}
    </Part>
  );
}

const themeNames: Record<FormTheme, string> = phrases({
  auto: "As the visitor’s system",
  light: "Light",
  dark: "Dark",
});

/** Colour, corners, width and background. */
export function LookPart({ form, choices, disabled }: PartProps) {
  const { look } = form.draft;
  const set = (part: Partial<FormDraft["look"]>) => form.set({ look: { ...look, ...part } });
  return (
    <Part title={t("How it looks")}>
      <ColorField
        label={t("Colour of the button")}
        value={look.color}
        standard={choices.brandColor ?? standardColor}
        disabled={disabled}
        onChange={(color) => set({ color })}
        onStandard={() => set({ color: null })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField
          label={t("Corners (px)")}
          value={look.corner}
          least={0}
          most={corners.most}
          disabled={disabled}
          onChange={(corner) => corner !== null && set({ corner })}
        />
        <NumberField
          label={t("Width (px)")}
          value={look.width}
          least={widths.least}
          most={widths.most}
          disabled={disabled}
          onChange={(width) => width !== null && set({ width })}
        />
        <Field label={t("Background")} error={form.faultWithin("look")}>
          <Select
            options={themes.map((theme) => ({ value: theme, label: themeNames[theme] }))}
            value={look.theme}
            disabled={disabled}
            onChange={(theme) => set({ theme })}
          />
        </Field>
      </div>
    </Part>
  );
}

/** Who may sign up at all. */
export function AccessPart({ form, disabled }: PartProps) {
  const { draft, set } = form;
  return (
    <Part title={t("Against abuse")}>
      <p className="text-sm text-soft">
        {t(
          "Every form has a trap for programs, checks how fast it was filled in, limits how often it can be sent, and writes to one address three times a day at most.",
        )}
      </p>
      <Switch
        label={t("Proof of work")}
        hint={t(
          "The visitor’s browser does a second of work before the form is sent, which makes thousands of submissions expensive. People without JavaScript can still sign up, a few an hour.",
        )}
        checked={draft.proofOfWork}
        disabled={disabled}
        onChange={(proofOfWork) => set({ proofOfWork })}
      />
      <Switch
        label={t("Takes sign-ups")}
        hint={t(
          "A closed form stays at its address and says that nobody can sign up at the moment.",
        )}
        checked={draft.open}
        disabled={disabled}
        onChange={(open) => set({ open })}
      />
    </Part>
  );
}
