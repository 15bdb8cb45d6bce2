"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, type FormEvent } from "react";
import { fieldFault, formFault } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProjectPath } from "@/components/frame/project-context";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Switch } from "@/components/ui/toggle";
import { contactInput, type ContactInput } from "@/lib/contacts/schema";
import { schemaFaults, type Faults } from "./schema-faults";
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
  const form = useId();
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
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
  const whole = formFault(add.error, fields);
  const fault = (name: string) => faults[name] ?? fieldFault(add.error, name);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add a contact"
      description="A person who is there already is updated, not doubled."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            pending={add.isPending || add.isSuccess}
          >
            Add contact
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
      </form>
    </Dialog>
  );
}
