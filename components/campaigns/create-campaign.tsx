"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
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
  const form = useForm({
    initial: { name: "" },
    schema: campaignInput,
    input: ({ name }) => ({ name, incomplete: true }),
    leaves: true,
    send: (body) => api("POST /v1/campaigns", { body }),
    onSent: (campaign) => {
      router.push(path(`campaigns/${campaign.id}`));
    },
  });
  return (
    <DialogForm
      title="Create a campaign"
      description="One message to everybody who wants your mail, or to some of them."
      action="Start writing"
      onClose={onClose}
      form={form}
    >
      <Field
        label="Name"
        name="name"
        hint="Only you and your team see it."
        error={form.fault("name")}
      >
        <Input
          {...form.text("name")}
          autoFocus
          autoComplete="off"
          maxLength={200}
          placeholder="November news"
        />
      </Field>
    </DialogForm>
  );
}
