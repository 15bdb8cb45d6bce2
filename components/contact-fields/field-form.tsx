"use client";

import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm, type Form } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { Checkbox } from "@/components/ui/toggle";
import { contactFieldKinds, type ContactFieldKind } from "@/db/enums";
import {
  contactFieldInput,
  newFieldKey,
  type ContactField,
} from "@/lib/domain/contact-fields/schema";
import { kindNames } from "./words";

const kindOptions = contactFieldKinds.map((kind) => ({ value: kind, label: kindNames[kind] }));

interface Description {
  kind: ContactFieldKind;
  description: string;
  acceptMisfits: boolean;
}

/** Describes a field that nobody has yet. */
export function AddField({
  fields,
  onClose,
}: {
  fields: readonly ContactField[];
  onClose: () => void;
}) {
  const api = useApi();
  const initial = {
    key: "",
    kind: "text" as ContactFieldKind,
    description: "",
    acceptMisfits: false,
  };
  const form = useForm({
    initial,
    schema: contactFieldInput.extend({ key: newFieldKey }),
    check: ({ key }): Record<string, string> =>
      fields.some((field) => field.key === key.trim())
        ? { key: "There is a field of this name already." }
        : {},
    send: ({ key, ...body }) => api("PUT /v1/contacts/fields/{key}", { params: { key }, body }),
    onSent: ({ key }) => {
      toast.success(`Field ${key} added`);
      onClose();
    },
    leaves: true,
  });
  return (
    <DialogForm
      title="Add a field"
      description="Segments and the template editor offer it at once, before anybody has it."
      action="Add field"
      onClose={onClose}
      form={form}
    >
      <Field
        label="Key"
        name="key"
        hint="As your program and import files name it. A rename later changes every contact."
        error={form.fault("key")}
      >
        <Input
          {...form.text("key")}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <DescriptionFields form={form} set={form.set} text={form.text("description")} />
    </DialogForm>
  );
}

/** Changes what is said about a field, or says it for the first time. */
export function EditField({ field, onClose }: { field: ContactField; onClose: () => void }) {
  const { key, kind, description, described } = field;
  const api = useApi();
  const initial: Description = { kind, description, acceptMisfits: false };
  const form = useForm({
    initial,
    schema: contactFieldInput,
    // What somebody else has changed meanwhile stays.
    input: (draft, base) => (described ? changedPart(base, draft) : draft),
    send: (body) => api("PUT /v1/contacts/fields/{key}", { params: { key }, body }),
    onSent: () => {
      toast.success(`Field ${key} saved`);
      onClose();
    },
    // A field that nobody has described is described by what was guessed of it.
    ...(described ? { onUnchanged: onClose } : {}),
    leaves: true,
  });
  return (
    <DialogForm
      title={described ? `Edit ${key}` : `Describe ${key}`}
      action="Save"
      onClose={onClose}
      form={form}
    >
      <DescriptionFields form={form} set={form.set} text={form.text("description")} />
    </DialogForm>
  );
}

function DescriptionFields({
  form: { draft, fault },
  set,
  text,
}: {
  form: Pick<Form<Description>, "fault"> & { draft: Description };
  set: (part: Partial<Description>) => void;
  text: ReturnType<Form<Description>["text"]>;
}) {
  const misfit = fault("kind");
  return (
    <>
      <Field
        label="Type"
        name="kind"
        hint="Decides what segments offer. Values stay as they are."
        error={misfit}
      >
        <Select
          options={kindOptions}
          value={draft.kind}
          onChange={(kind) => set({ kind, acceptMisfits: false })}
        />
      </Field>
      {(misfit !== null || draft.acceptMisfits) && (
        <Checkbox
          label="Keep the values that do not fit"
          hint="They stay as they are, and comparisons of this type pass them over."
          checked={draft.acceptMisfits}
          onChange={(acceptMisfits) => set({ acceptMisfits })}
        />
      )}
      <Field
        label="Description"
        name="description"
        hint="For your team: what it holds, and where it comes from."
        optional
        error={fault("description")}
      >
        <Input {...text} maxLength={300} autoComplete="off" />
      </Field>
    </>
  );
}
