"use client";

import { useApi } from "@/components/api/use-api";
import { useSettled } from "@/components/api/use-settled";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { Checkbox } from "@/components/ui/checkbox";
import { t } from "@/lib/ground/texts/t";
import { ChangePreview, usePreview } from "./change-preview";
import { subjects, type SubjectKind } from "./words";

const bulkChangeInput = lazySchema(
  async () => (await import("@/lib/domain/contact-fields/schema")).bulkChangeInput,
);

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
  const isField = kind === "field";
  const bodyOf = (newName: string, merge: boolean) => ({
    action: subjects[kind].rename,
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
      toast.success(t("The rename has begun"));
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
      title={
        isField ? t("Rename the field {name}", { name }) : t("Rename the tag {name}", { name })
      }
      action={draft.merge ? t("Rename and merge") : t("Rename")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("New name")}
        name="newName"
        hint={
          isField
            ? t("The name of another field merges the two.")
            : t("The name of another tag merges the two.")
        }
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
          label={t("Merge {name} into {newName}", { name, newName: draft.newName.trim() })}
          hint={
            isField
              ? t(
                  "Contacts have the field {newName} already. Once merged, the two cannot be told apart.",
                  { newName: draft.newName.trim() },
                )
              : t(
                  "Contacts have the tag {newName} already. Once merged, the two cannot be told apart.",
                  { newName: draft.newName.trim() },
                )
          }
          checked={draft.merge}
          onChange={(merge) => form.set({ merge })}
        />
      )}
      {valid && <ChangePreview kind={kind} newName={asked.trim()} read={read} />}
    </DialogForm>
  );
}
