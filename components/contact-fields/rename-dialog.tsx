"use client";

import { useApi } from "@/components/api/use-api";
import { useSettled } from "@/components/api/use-settled";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { Checkbox } from "@/components/ui/toggle";
import { bulkChangeInput } from "@/lib/domain/contact-fields/schema";
import { ChangePreview, usePreview } from "./change-preview";
import { subjects, type SubjectKind } from "./words";

/** Renames a field or a tag for everybody, once the reader has seen what that changes. */
export function RenameEverywhere({
  kind,
  name,
  onClose,
}: {
  kind: SubjectKind;
  name: string;
  onClose: () => void;
}) {
  const api = useApi();
  const { what, rename } = subjects[kind];
  const bodyOf = (newName: string, merge: boolean) => ({
    action: rename,
    name,
    newName: newName.trim(),
    ...(merge ? { merge } : {}),
  });
  const form = useForm({
    initial: { newName: "", merge: false },
    schema: bulkChangeInput,
    input: ({ newName, merge }) => bodyOf(newName, merge),
    send: (body) => api("POST /v1/contacts/changes", { body }),
    onSent: () => {
      toast.success("The rename has begun");
      onClose();
    },
    leaves: true,
  });
  const { draft } = form;
  const asked = useSettled(draft.newName);
  // As if it were merged: the checkbox says that the name is taken, and ticking it changes no figure.
  const { valid, read } = usePreview(bodyOf(asked, true));
  const taken = asked === draft.newName && read.data?.taken === true;
  return (
    <DialogForm
      title={`Rename the ${what} ${name}`}
      action={draft.merge ? "Rename and merge" : "Rename"}
      onClose={onClose}
      form={form}
    >
      <Field
        label="New name"
        name="newName"
        hint={`The name of another ${what} merges the two.`}
        error={form.fault("newName")}
      >
        <Input
          value={draft.newName}
          onChange={({ target }) => form.set({ newName: target.value, merge: false })}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      {(taken || draft.merge) && (
        <Checkbox
          label={`Merge ${name} into ${draft.newName.trim()}`}
          hint={`Contacts have the ${what} ${draft.newName.trim()} already. Once merged, the two cannot be told apart.`}
          checked={draft.merge}
          onChange={(merge) => form.set({ merge })}
        />
      )}
      {valid && <ChangePreview kind={kind} newName={asked.trim()} read={read} />}
    </DialogForm>
  );
}
