"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { campaignInput } from "@/lib/domain/campaigns/schema";

/** Asks for a name and opens the new draft. */
export function CreateCampaign({ label = "Create campaign" }: { label?: string }) {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {label}
      </Button>
      {open && <NameDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function NameDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const create = useMutation({
    mutationFn: (name: string) => api("POST /v1/campaigns", { body: { name, incomplete: true } }),
    onSuccess: async (made) => {
      router.push(path(`campaigns/${made.id}`));
      await queries.invalidateQueries({ queryKey: ["campaigns"], refetchType: "none" });
    },
  });
  return (
    <DialogForm
      title="A new campaign"
      description="One message to everybody who wants your mail, or to a part of them."
      action="Write it"
      onClose={onClose}
      pending={create.isPending || create.isSuccess}
      fault={formFault(create.error, ["name"])}
      onSubmit={(given) => {
        const checked = campaignInput.safeParse({ name: given.get("name"), incomplete: true });
        setFaults(checked.success ? {} : schemaFaults(checked.error));
        if (checked.success) create.mutate(checked.data.name ?? "");
      }}
    >
      <Field
        label="Name"
        name="name"
        hint="For you; nobody else sees it."
        error={faults["name"] ?? fieldFault(create.error, "name")}
      >
        <Input autoFocus autoComplete="off" maxLength={200} placeholder="November news" />
      </Field>
    </DialogForm>
  );
}
