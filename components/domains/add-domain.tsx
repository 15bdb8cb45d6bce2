"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, type FormEvent } from "react";
import { fieldFault, formFault } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProjectPath } from "@/components/frame/project-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { domainCreate, type DomainCreate } from "@/lib/domains/schema";

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
  const form = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: (body: DomainCreate) => api("POST /v1/domains", { body }),
    onSuccess: async (domain) => {
      await queries.invalidateQueries({ queryKey: ["domains"] });
      router.push(path(`domains/${domain.id}`));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    const checked = domainCreate.safeParse({ name });
    setProblem(checked.success ? null : (checked.error.issues[0]?.message ?? "is not valid"));
    if (checked.success) add.mutate(checked.data);
  };
  const whole = formFault(add.error, ["name"]);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add a sending domain"
      description="The next page lists the DNS records that prove it is yours."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            pending={add.isPending || add.isSuccess}
          >
            Add domain
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.currentTarget.requestSubmit();
          }
        }}
        className="flex flex-col gap-4"
        noValidate
      >
        {whole && (
          <Callout kind="danger" alert>
            {whole}
          </Callout>
        )}
        <Field
          label="Domain"
          name="name"
          hint="What stands behind the @ of your senders. A subdomain such as mail.example.com keeps the reputation of your newsletter apart from that of your people's mail; it covers exactly itself."
          error={problem ? `This ${problem}.` : fieldFault(add.error, "name")}
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
      </form>
    </Dialog>
  );
}
