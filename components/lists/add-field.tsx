"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import type { ListFieldInput, MailingListDetail } from "@/lib/domain/lists/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const listFieldInput = lazySchema(
  async () => (await import("@/lib/domain/lists/schema")).listFieldInput,
);

const types: readonly { value: ListFieldInput["type"]; label: string; hint: string }[] = phrases([
  { value: "text", label: "Text", hint: "Anything" },
  { value: "number", label: "Number", hint: "12 or 3.5" },
  { value: "datetime", label: "Date and time", hint: "2026-03-31, 10:30 if needed" },
  { value: "dropdown", label: "One of several", hint: "From a list of choices" },
  { value: "checkbox", label: "Any of several", hint: "From a list of choices, or yes and no" },
]);

/** `Favourite colour` becomes `FAVOURITE_COLOUR`. */
const tagOf = (label: string) =>
  label
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^[^A-Z]+|_$/g, "")
    .slice(0, 50);

/** The button that adds a field to a list. Renders nothing for those who may not. */
export function AddField({ list }: { list: MailingListDetail }) {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Add field")}
      </Button>
      {open && <AddFieldDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Draft {
  label: string;
  /** Null: made from the label. */
  tag: string | null;
  type: ListFieldInput["type"];
  options: string;
  defaultValue: string;
  required: boolean;
}

const empty: Draft = {
  label: "",
  tag: null,
  type: "text",
  options: "",
  defaultValue: "",
  required: false,
};
const hasChoices = ({ type }: Draft) => type === "dropdown" || type === "checkbox";
const tagFor = ({ tag, label }: Draft) => tag ?? tagOf(label);

function inputOf(draft: Draft) {
  const { label, type, required } = draft;
  const options = draft.options
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const defaultValue = draft.defaultValue.trim();
  return {
    label,
    tag: tagFor(draft),
    type,
    required,
    ...(hasChoices(draft) && options.length > 0 ? { options } : {}),
    ...(defaultValue ? { defaultValue } : {}),
  };
}

function AddFieldDialog({ list, onClose }: { list: MailingListDetail; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: empty,
    schema: listFieldInput,
    input: inputOf,
    // The default is refused under the field's own tag.
    places: (draft) => ["label", "tag", "type", "options", "defaultValue", tagFor(draft)],
    leaves: true,
    send: (body) => api("POST /v1/lists/{id}/fields", { params: { id: list.id }, body }),
    onSent: (_, { label }) => {
      toast.success(t("“{label}” added", { label: label.trim() }));
      onClose();
    },
  });
  const { draft, fault } = form;
  const defaultFault = fault("defaultValue") ?? fault(tagFor(draft));
  return (
    <DialogForm title={t("Add a field")} action={t("Add field")} onClose={onClose} form={form}>
      <Field label={t("Label")} name="label" error={fault("label")}>
        <Input
          autoFocus
          autoComplete="off"
          placeholder={t("Favourite colour")}
          {...form.text("label")}
        />
      </Field>
      <Field
        label={t("Tag")}
        name="tag"
        hint={t("The name that programs and emails use. It cannot be changed later.")}
        error={fault("tag")}
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={tagFor(draft)}
          onChange={({ target }) => form.set({ tag: target.value.toUpperCase() })}
        />
      </Field>
      <Field label={t("Type")} error={fault("type")}>
        <Select options={types} value={draft.type} onChange={(type) => form.set({ type })} />
      </Field>
      {hasChoices(draft) && (
        <Field
          label={t("Choices")}
          name="options"
          optional={draft.type === "checkbox"}
          hint={t("One per line.")}
          error={form.faultWithin("options")}
        >
          <Textarea {...form.text("options")} rows={4} />
        </Field>
      )}
      <Field
        label={t("Default")}
        name="defaultValue"
        optional
        hint={t("Used when somebody is added without a value.")}
        error={defaultFault}
      >
        <Input {...form.text("defaultValue")} autoComplete="off" />
      </Field>
      <Switch
        label={t("Required")}
        hint={t("New subscribers must have a value, unless there is a default.")}
        checked={draft.required}
        onChange={(required) => form.set({ required })}
      />
    </DialogForm>
  );
}
