"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { Unsettled } from "@/components/form/unsaved-changes";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm, type Form } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { Checkbox } from "@/components/ui/checkbox";
import { contactFieldKinds, type ContactFieldKind } from "@/db/enums";
import type { ContactField, ContactFieldInput } from "@/lib/domain/contact-fields/schema";
import { t } from "@/lib/ground/texts/t";
import { kindNames } from "./words";

const schemas = () => import("@/lib/domain/contact-fields/schema");
const contactFieldInput = lazySchema(async () => (await schemas()).contactFieldInput);
const newField = lazySchema(async () => {
  const { contactFieldInput: field, newFieldKey } = await schemas();
  return field.extend({ key: newFieldKey });
});

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
    schema: newField,
    check: ({ key }): Record<string, string> =>
      fields.some((field) => field.key === key.trim())
        ? { key: t("There is a field of this name already.") }
        : {},
    // Of nothing: a field that somebody else has added meanwhile keeps what they said of it.
    send: ({ key, ...body }) =>
      api("PUT /v1/contacts/fields/{key}", { params: { key }, body: { ...body, basedOn: null } }),
    onSent: ({ key }) => {
      toast.success(t("Field {key} added", { key }));
      onClose();
    },
    leaves: true,
  });
  return (
    <DialogForm
      title={t("Add a field")}
      description={t("Segments and the template editor offer it at once, before anybody has it.")}
      action={t("Add field")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Key")}
        name="key"
        hint={t("As your program and import files name it. A rename later changes every contact.")}
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

const draftOf = ({ kind, description }: ContactField): Description => ({
  kind,
  description,
  acceptMisfits: false,
});
const labelOf = (name: keyof Description): string =>
  ({ kind: t("Type"), description: t("Description"), acceptMisfits: t("Values") })[name];

/** Changes what is said about a field, or says it for the first time. */
export function EditField({ field, onClose }: { field: ContactField; onClose: () => void }) {
  const { key, described } = field;
  const api = useApi();
  const params = { key };
  const [saved, setSaved] = useState(field);
  const saves = useSaves<ContactField, Description, ContactFieldInput>({
    saved,
    onNewer: setSaved,
    draftOf,
    // What nobody has described is described by what was guessed of it, too.
    change: (body) =>
      api("PUT /v1/contacts/fields/{key}", {
        params,
        body: body.basedOn === null ? { kind: field.kind, ...body } : body,
      }),
    read: async () => {
      const { data } = await api("GET /v1/contacts/fields", {});
      const stored = data.find((other) => other.key === key);
      return stored ?? { ...field, described: false, description: "", updatedAt: null };
    },
  });
  const form = useForm({
    initial: draftOf(field),
    schema: contactFieldInput,
    // What somebody else has changed meanwhile stays.
    input: (draft, base) => changedPart(base, draft),
    send: saves.save,
    onSent: () => {
      toast.success(t("Field {key} saved", { key }));
      onClose();
    },
    ...(described ? { onUnchanged: onClose } : {}),
    leaves: true,
  });
  return (
    <DialogForm
      title={described ? t("Edit {key}", { key }) : t("Describe {key}", { key })}
      action={t("Save")}
      onClose={onClose}
      form={form}
    >
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={labelOf}
        tell={(draft, name) => (name === "kind" ? kindNames[draft.kind] : draft.description)}
      />
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
        label={t("Type")}
        name="kind"
        hint={t("Decides what segments offer. Values stay as they are.")}
        error={misfit}
      >
        <Select
          options={contactFieldKinds.map((kind) => ({ value: kind, label: kindNames[kind] }))}
          value={draft.kind}
          onChange={(kind) => set({ kind, acceptMisfits: false })}
        />
      </Field>
      {(misfit !== null || draft.acceptMisfits) && (
        <Checkbox
          label={t("Keep the values that do not fit")}
          hint={t("They stay as they are, and comparisons of this type pass them over.")}
          checked={draft.acceptMisfits}
          onChange={(acceptMisfits) => set({ acceptMisfits })}
        />
      )}
      <Field
        label={t("Description")}
        name="description"
        hint={t("For your team: what it holds, and where it comes from.")}
        optional
        error={fault("description")}
      >
        <Input {...text} maxLength={300} autoComplete="off" />
      </Field>
    </>
  );
}
