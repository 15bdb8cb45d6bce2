"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { fileFetch } from "@/lib/domain/files/schema";
import { t } from "@/lib/ground/texts/t";

/** Button that copies a file from the web to the library. Renders nothing for those who may not. */
export function FetchFile() {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Link2 aria-hidden /> {t("Add from the web")}
      </Button>
      {open && <FetchFileDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function FetchFileDialog({ onClose }: { onClose: () => void }) {
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
