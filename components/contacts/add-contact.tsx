"use client";

import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { Checkbox, Switch } from "@/components/ui/toggle";
import { ApiError } from "@/lib/doors/http/client";
import { contactInput, type Contact } from "@/lib/domain/contacts/schema";
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

interface Draft {
  email: string;
  firstName: string;
  lastName: string;
  tags: string[];
  subscribed: boolean;
  /** Of somebody who is not subscribed: that they asked to be, in so many words. */
  askedAgain: boolean;
}

const empty: Draft = {
  email: "",
  firstName: "",
  lastName: "",
  tags: [],
  subscribed: true,
  askedAgain: false,
};
const addressOf = ({ email }: { email: string }) => email.trim().toLowerCase();

/** A field left empty says nothing of a person who is there already. */
const inputOf = ({ email, firstName, lastName, tags, subscribed }: Draft) => ({
  email: email.trim(),
  ...(firstName.trim() ? { firstName: firstName.trim() } : {}),
  ...(lastName.trim() ? { lastName: lastName.trim() } : {}),
  ...(tags.length > 0 ? { tags } : {}),
  subscribed,
});

function AddContactDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const [unsubscribed, setUnsubscribed] = useState<string | null>(null);
  const form = useForm({
    initial: empty,
    schema: contactInput,
    input: inputOf,
    leaves: true,
    send: async ({ subscribed, ...body }): Promise<Contact> => {
      if (!subscribed) return api("POST /v1/contacts", { body: { ...body, subscribed } });
      const address = addressOf(body);
      const query = { search: address, subscribed: "false", limit: 100 } as const;
      const { data } = await api("GET /v1/contacts", { query });
      if (!data.some((contact) => addressOf(contact) === address)) {
        return api("POST /v1/contacts", { body: { ...body, subscribed } });
      }
      if (unsubscribed !== address) {
        setUnsubscribed(address);
        const question = `${body.email} is a contact already, and not subscribed. Say below whether to change that.`;
        throw new ApiError(409, "CONFLICT", question, [], undefined);
      }
      const contact = await api("POST /v1/contacts", { body });
      if (!form.draft.askedAgain) return contact;
      // Adding an address lifts no unsubscription: that is an act of its own, and recorded as one.
      return api("PATCH /v1/contacts/{id}", { params: { id: contact.id }, body: { subscribed } });
    },
    onSent: (contact, { subscribed }) => {
      if (subscribed && !contact.subscribed) {
        toast.success(`${contact.email} was updated`, { description: "They are not subscribed." });
      }
      router.push(path(`contacts/${contact.id}`));
    },
  });
  return (
    <DialogForm
      title="Add a contact"
      description="If the address belongs to a contact already, that contact is updated."
      action="Add contact"
      onClose={onClose}
      form={form}
    >
      <Field label="Email" name="email" error={form.fault("email")}>
        <Input
          {...form.text("email")}
          autoFocus
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ada@example.com"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" optional error={form.fault("firstName")}>
          <Input {...form.text("firstName")} autoComplete="off" />
        </Field>
        <Field label="Last name" name="lastName" optional error={form.fault("lastName")}>
          <Input {...form.text("lastName")} autoComplete="off" />
        </Field>
      </div>
      <TagInput
        value={form.draft.tags}
        onChange={(tags) => form.set({ tags })}
        error={form.faultWithin("tags")}
      />
      {form.draft.subscribed && unsubscribed === addressOf(form.draft) && (
        <div className="rounded-md border border-warning bg-warning-wash px-3 py-2.5">
          <Checkbox
            label={`${form.draft.email.trim()} has asked for our mail again`}
            hint="Without this they are updated and stay as they are: not subscribed."
            checked={form.draft.askedAgain}
            onChange={(askedAgain) => form.set({ askedAgain })}
          />
        </div>
      )}
      <Switch
        label="Subscribed"
        hint="Campaigns only go to subscribed people. Leave this on if the person asked for your mail."
        checked={form.draft.subscribed}
        onChange={(subscribed) => form.set({ subscribed })}
      />
    </DialogForm>
  );
}
