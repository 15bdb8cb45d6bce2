"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { Switch } from "@/components/ui/toggle";
import { contactInput, type ContactInput } from "@/lib/domain/contacts/schema";
import { TagInput } from "./tag-input";

/** The button that asks for a person and goes to their page. Nothing for those who may not. */
export function AddContact({ variant = "primary" }: { variant?: ButtonVariant }) {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        <UserPlus aria-hidden /> Add contact
      </Button>
      {open && <AddContactDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const fields = ["email", "firstName", "lastName", "tags"];

function AddContactDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const [tags, setTags] = useState<string[]>([]);
  const [subscribed, setSubscribed] = useState(true);
  const add = useMutation({
    mutationFn: (body: ContactInput) => api("POST /v1/contacts", { body }),
    onSuccess: async (contact) => {
      router.push(path(`contacts/${contact.id}`));
      await queries.invalidateQueries({ queryKey: ["contacts"], refetchType: "none" });
    },
  });
  const submit = (given: FormData) => {
    const text = (name: string) => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const checked = contactInput.safeParse({
      email: text("email"),
      ...(text("firstName") ? { firstName: text("firstName") } : {}),
      ...(text("lastName") ? { lastName: text("lastName") } : {}),
      ...(tags.length > 0 ? { tags } : {}),
      subscribed,
    });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) add.mutate(checked.data);
  };
  const fault = (name: string) => faults[name] ?? fieldFault(add.error, name);
  return (
    <DialogForm
      title="Add a contact"
      description="A person who is there already is updated, not doubled."
      action="Add contact"
      onClose={onClose}
      onSubmit={submit}
      pending={add.isPending || add.isSuccess}
      fault={formFault(add.error, fields)}
    >
      <Field label="Email" name="email" error={fault("email")}>
        <Input
          autoFocus
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ada@example.com"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" optional error={fault("firstName")}>
          <Input autoComplete="off" />
        </Field>
        <Field label="Last name" name="lastName" optional error={fault("lastName")}>
          <Input autoComplete="off" />
        </Field>
      </div>
      <TagInput value={tags} onChange={setTags} error={fault("tags")} />
      <Switch
        label="Subscribed"
        hint="Campaigns go to subscribed people only. Turn it on for those who asked for your mail."
        checked={subscribed}
        onChange={setSubscribed}
      />
    </DialogForm>
  );
}
