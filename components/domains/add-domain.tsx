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
import { domainCreate, type DomainCreate } from "@/lib/domain/sending-domains/schema";

/** The button that asks for a domain's name and goes to its records. Nothing for those who may not. */
export function AddDomain() {
  const [open, setOpen] = useState(false);
  if (!useMay("admin")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> Add domain
      </Button>
      {open && <AddDomainDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const add = useMutation({
    mutationFn: (body: DomainCreate) => api("POST /v1/domains", { body }),
    onSuccess: async (domain) => {
      await queries.invalidateQueries({ queryKey: ["domains"] });
      router.push(path(`domains/${domain.id}`));
    },
  });
  const submit = (given: FormData) => {
    const checked = domainCreate.safeParse({ name: given.get("name") });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) add.mutate(checked.data);
  };
  return (
    <DialogForm
      title="Add a sending domain"
      description="The next page lists the DNS records that prove it is yours."
      action="Add domain"
      onClose={onClose}
      onSubmit={submit}
      pending={add.isPending || add.isSuccess}
      fault={formFault(add.error, ["name"])}
    >
      <Field
        label="Domain"
        name="name"
        hint="What stands behind the @ of your senders. A subdomain such as mail.example.com keeps the reputation of your newsletter apart from that of your people's mail; it covers exactly itself."
        error={faults.name ?? fieldFault(add.error, "name")}
      >
        <Input
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          placeholder="mail.example.com"
          className="font-mono"
        />
      </Field>
    </DialogForm>
  );
}
