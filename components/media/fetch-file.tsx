"use client";

import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { fileFetch, type FileFetch } from "@/lib/domain/files/schema";

/** The button that copies a file from the web into the library. Nothing for those who may not. */
export function FetchFile() {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Link2 aria-hidden /> Add from the web
      </Button>
      {open && <FetchFileDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function FetchFileDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const [faults, setFaults] = useState<Faults>({});
  const fetching = useMutation({
    mutationFn: (body: FileFetch) => api("POST /v1/files/fetch", { body }),
    onSuccess: ({ name }) => {
      toast.success(`${name} was added to the library`);
      onClose();
    },
  });
  const submit = (given: FormData) => {
    const folder = given.get("subdirectory");
    const checked = fileFetch.safeParse({
      url: given.get("url"),
      ...(typeof folder === "string" && folder.trim() ? { subdirectory: folder.trim() } : {}),
    });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) fetching.mutate(checked.data);
  };
  const urlDetail = fetching.error && fieldFault(fetching.error, "url");
  return (
    <DialogForm
      title="Add a file from the web"
      description="We keep a copy, so your emails do not depend on another site."
      action="Add file"
      onClose={onClose}
      onSubmit={submit}
      pending={fetching.isPending}
      fault={formFault(fetching.error, ["url", "subdirectory"])}
    >
      <Field label="Address" name="url" error={faults.url ?? urlDetail}>
        <Input
          autoFocus
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/logo.png"
        />
      </Field>
      <Field
        label="Folder"
        name="subdirectory"
        optional
        error={faults.subdirectory ?? fieldFault(fetching.error, "subdirectory")}
      >
        <Input autoComplete="off" spellCheck={false} placeholder="logos" />
      </Field>
    </DialogForm>
  );
}
