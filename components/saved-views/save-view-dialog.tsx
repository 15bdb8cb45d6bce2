"use client";

import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { viewOf } from "@/components/list-page/filters";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { SavedViewPage } from "@/db/enums";
import { longestViewName, savedViewInput } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks for the name of a view. */
export function SaveViewDialog({
  page,
  query,
  onClose,
}: {
  page: SavedViewPage;
  query: Readonly<Record<string, unknown>>;
  onClose: () => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { name: "" },
    schema: savedViewInput,
    input: ({ name }) => ({ page, name, query: viewOf(query) }),
    send: (body) => api("POST /v1/views", { body }),
    onSent: ({ name }) => {
      toast.success(t("View “{name}” saved", { name }));
      onClose();
    },
    leaves: true,
  });
  return (
    <DialogForm
      title={t("Save this view")}
      description={t(
        "Its filters and its order are one press away above the list. Only you see it.",
      )}
      action={t("Save view")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Name")} name="name" error={form.fault("name")}>
        <Input {...form.text("name")} maxLength={longestViewName} autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
