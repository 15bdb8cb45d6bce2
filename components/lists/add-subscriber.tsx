"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { MailingListDetail } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { MemberFields, type FieldValues } from "./member-fields";

const subscriberCreate = lazySchema(
  async () => (await import("@/lib/domain/lists/schema")).subscriberCreate,
);

/** The button that puts a person on the list. Renders nothing for those who may not. */
export function AddSubscriber({
  list,
  variant = "primary",
}: {
  list: MailingListDetail;
  variant?: ButtonVariant;
}) {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        <UserPlus aria-hidden /> {t("Add subscriber")}
      </Button>
      {open && <AddSubscriberDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}

const defaultsOf = (list: MailingListDetail): FieldValues =>
  Object.fromEntries(
    list.fields.flatMap(({ tag, defaultValue }) => (defaultValue ? [[tag, defaultValue]] : [])),
  );

/** An empty field says nothing about a person who is already known. */
const inputOf = (draft: {
  email: string;
  firstName: string;
  lastName: string;
  fields: FieldValues;
}) => ({
  email: draft.email.trim(),
  ...(draft.firstName.trim() ? { firstName: draft.firstName.trim() } : {}),
  ...(draft.lastName.trim() ? { lastName: draft.lastName.trim() } : {}),
  fields: Object.fromEntries(Object.entries(draft.fields).filter(([, value]) => value.trim())),
});

function AddSubscriberDialog({ list, onClose }: { list: MailingListDetail; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: () => ({
      email: "",
      firstName: "",
      lastName: "",
      fields: defaultsOf(list),
    }),
    schema: subscriberCreate,
    input: inputOf,
    // The list's own fields are refused under their tags.
    places: ["email", "firstName", "lastName", ...list.fields.map(({ tag }) => tag)],
    leaves: true,
    send: (body) => api("POST /v1/lists/{id}/subscribers", { params: { id: list.id }, body }),
    onSent: ({ email, status }) => {
      toast.success(
        status === "unconfirmed"
          ? t("{email} was sent an email to confirm", { email })
          : t("{email} is subscribed", { email }),
      );
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Add to “{name}”", { name: list.name })}
      description={
        list.subscribeConfirmation
          ? t("They get an email and are subscribed once they confirm.")
          : t("They are subscribed at once, so only add people who asked for it.")
      }
      action={t("Add subscriber")}
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
      <MemberFields
        fields={list.fields}
        value={form.draft.fields}
        onChange={(fields) => form.set({ fields })}
        fault={form.fault}
      />
    </DialogForm>
  );
}
