"use client";

import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { longestViewName, savedViewUpdate, type SavedView } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";

export function RenameView({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { name: view.name },
    schema: savedViewUpdate,
    send: (body) => api("PATCH /v1/views/{id}", { params: { id: view.id }, body }),
    onSent: ({ name }) => {
      toast.success(t("View renamed to “{name}”", { name }));
      onClose();
    },
    onUnchanged: onClose,
    leaves: true,
  });
  return (
    <DialogForm
      title={t("Rename the view {name}", { name: view.name })}
      action={t("Rename")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} maxLength={longestViewName} autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
