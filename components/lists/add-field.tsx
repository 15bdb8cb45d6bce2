"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/toggle";
import {
  listFieldInput,
  type ListFieldInput,
  type MailingListDetail,
} from "@/lib/domain/lists/schema";

const types: readonly { value: ListFieldInput["type"]; label: string; hint: string }[] = [
  { value: "text", label: "Text", hint: "Anything" },
  { value: "number", label: "Number", hint: "12 or 3.5" },
  { value: "datetime", label: "Date and time", hint: "2026-03-31, 10:30 if needed" },
  { value: "dropdown", label: "One of several", hint: "From choices you give" },
  { value: "checkbox", label: "Any of several", hint: "From choices, or yes and no without any" },
];

/** `Favourite colour`: `FAVOURITE_COLOUR`. */
const tagOf = (label: string) =>
  label
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^[^A-Z]+|_+$/g, "")
    .slice(0, 50);

/** The button that adds a field to a list. Nothing for those who may not. */
export function AddField({ list }: { list: MailingListDetail }) {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden /> Add field
      </Button>
      {open && <AddFieldDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}

const paths = ["label", "tag", "type", "options", "defaultValue"];

function AddFieldDialog({ list, onClose }: { list: MailingListDetail; onClose: () => void }) {
  const api = useApi();
  const [faults, setFaults] = useState<Faults>({});
  const [label, setLabel] = useState("");
  const [tag, setTag] = useState<string | null>(null);
  const [type, setType] = useState<ListFieldInput["type"]>("text");
  const [required, setRequired] = useState(false);
  const shownTag = tag ?? tagOf(label);
  const add = useMutation({
    mutationFn: (body: ListFieldInput) =>
      api("POST /v1/lists/{id}/fields", { params: { id: list.id }, body }),
    onSuccess: () => {
      toast.success(`“${label.trim()}” is added`);
      onClose();
    },
  });
  const choices = type === "dropdown" || type === "checkbox";
  const submit = (given: FormData) => {
    const text = (name: string) => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const options = text("options")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    const checked = listFieldInput.safeParse({
      label,
      tag: shownTag,
      type,
      required,
      ...(choices && options.length > 0 ? { options } : {}),
      ...(text("defaultValue") ? { defaultValue: text("defaultValue") } : {}),
    });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) add.mutate(checked.data);
  };
  const fault = (name: string) => faults[name] ?? fieldFault(add.error, name);
  // The default is refused under the field's own tag.
  const defaultFault = fault("defaultValue") ?? fieldFault(add.error, shownTag);
  return (
    <DialogForm
      title="Add a field"
      action="Add field"
      onClose={onClose}
      onSubmit={submit}
      pending={add.isPending}
      fault={formFault(add.error, [...paths, shownTag])}
    >
      <Field label="Label" name="label" error={fault("label")}>
        <Input
          autoFocus
          autoComplete="off"
          placeholder="Favourite colour"
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
      </Field>
      <Field
        label="Tag"
        name="tag"
        hint="How programs and mail name it. It cannot be changed later."
        error={fault("tag")}
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={shownTag}
          onChange={({ target }) => setTag(target.value.toUpperCase())}
        />
      </Field>
      <Field label="Type" error={fault("type")}>
        <Select options={types} value={type} onChange={setType} />
      </Field>
      {choices && (
        <Field
          label="Choices"
          name="options"
          optional={type === "checkbox"}
          hint="One a line."
          error={fault("options")}
        >
          <Textarea name="options" rows={4} />
        </Field>
      )}
      <Field
        label="Default"
        name="defaultValue"
        optional
        hint="For those who are added without it."
        error={defaultFault}
      >
        <Input autoComplete="off" />
      </Field>
      <Switch
        label="Required"
        hint="Nobody new joins without it, unless there is a default."
        checked={required}
        onChange={setRequired}
      />
    </DialogForm>
  );
}
