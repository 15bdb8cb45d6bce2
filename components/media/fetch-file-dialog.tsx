"use client";

import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { fileFetch } from "@/lib/domain/files/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks for the address of a file, and copies it. */
export function FetchFileDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { url: "", subdirectory: "" },
    schema: fileFetch,
    input: ({ url, subdirectory }) => ({
      url,
      ...(subdirectory.trim() ? { subdirectory: subdirectory.trim() } : {}),
    }),
    leaves: true,
    send: (body) => api("POST /v1/files/fetch", { body }),
    onSent: ({ name }) => {
      toast.success(t("{name} was added to the library", { name }));
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Add a file from the web")}
      description={t("We keep a copy, so your emails do not depend on another site.")}
      action={t("Add file")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Address")} name="url" error={form.fault("url")}>
        <Input
          {...form.text("url")}
          autoFocus
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/logo.png"
        />
      </Field>
      <Field label={t("Folder")} name="subdirectory" optional error={form.fault("subdirectory")}>
        <Input
          {...form.text("subdirectory")}
          autoComplete="off"
          spellCheck={false}
          placeholder={t("logos")}
        />
      </Field>
    </DialogForm>
  );
}
