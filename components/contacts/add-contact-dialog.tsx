"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useProjectPath } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { Checkbox } from "@/components/ui/checkbox";
import { Switch } from "@/components/ui/switch";
import { ApiError } from "@/lib/doors/http/client";
import { contactInput, type Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { TagInput } from "./tag-input";

interface Draft {
  email: string;
  firstName: string;
  lastName: string;
  tags: string[];
  subscribed: boolean;
  /** For somebody who has unsubscribed: they asked to be subscribed again. */
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

/** An empty field says nothing about a known person. `left`: an address that has unsubscribed. */
const inputOf = (draft: Draft, left: string | null) => {
  const { email, firstName, lastName, tags, subscribed, askedAgain } = draft;
  return {
    email: email.trim(),
    ...(firstName.trim() ? { firstName: firstName.trim() } : {}),
    ...(lastName.trim() ? { lastName: lastName.trim() } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    subscribed,
    ...(subscribed && left === addressOf(draft) ? { resubscribe: askedAgain } : {}),
  };
};

/** Adding an address does not resubscribe it: the API must be told that the person wants that. */
const asksAgain = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ path }) => path === "resubscribe");

/** Asks for a person and goes to their page. */
export function AddContactDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const [unsubscribed, setUnsubscribed] = useState<string | null>(null);
  const form = useForm({
    initial: empty,
    schema: contactInput,
    input: (draft) => inputOf(draft, unsubscribed),
    leaves: true,
    send: async (body): Promise<Contact> => {
      try {
        return await api("POST /v1/contacts", { body });
      } catch (error) {
        if (asksAgain(error)) setUnsubscribed(addressOf(body));
        throw error;
      }
    },
    onSent: (contact, { subscribed }) => {
      if (subscribed && !contact.subscribed) {
        toast.success(t("{email} was updated", { email: contact.email }), {
          description: t("They are not subscribed."),
        });
      }
      onClose();
      router.push(path(`contacts/${contact.id}`));
    },
  });
  return (
    <DialogForm
      title={t("Add a contact")}
      description={t("If the address belongs to a contact already, that contact is updated.")}
      action={t("Add contact")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Email")} name="email" error={form.fault("email")}>
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
        <Field label={t("First name")} name="firstName" optional error={form.fault("firstName")}>
          <Input {...form.text("firstName")} autoComplete="off" />
        </Field>
        <Field label={t("Last name")} name="lastName" optional error={form.fault("lastName")}>
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
            label={t("{email} has asked for our mail again", { email: form.draft.email.trim() })}
            hint={t("Without this they are updated and stay unsubscribed.")}
            checked={form.draft.askedAgain}
            onChange={(askedAgain) => form.set({ askedAgain })}
          />
        </div>
      )}
      <Switch
        label={t("Subscribed")}
        hint={t(
          "Campaigns only go to subscribed people. Leave this on if the person asked for your mail.",
        )}
        checked={form.draft.subscribed}
        onChange={(subscribed) => form.set({ subscribed })}
      />
    </DialogForm>
  );
}
