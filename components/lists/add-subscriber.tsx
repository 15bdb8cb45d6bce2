"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import {
  subscriberCreate,
  type MailingListDetail,
  type SubscriberCreate,
} from "@/lib/domain/lists/schema";
import { MemberFields, type FieldValues } from "./member-fields";

/** The button that asks for a person and puts them on the list. Nothing for those who may not. */
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
        <UserPlus aria-hidden /> Add subscriber
      </Button>
      {open && <AddSubscriberDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddSubscriberDialog({ list, onClose }: { list: MailingListDetail; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const [fields, setFields] = useState<FieldValues>(() =>
    Object.fromEntries(
      list.fields.flatMap(({ tag, defaultValue }) => (defaultValue ? [[tag, defaultValue]] : [])),
    ),
  );
  const add = useMutation({
    mutationFn: (body: SubscriberCreate) =>
      api("POST /v1/lists/{id}/subscribers", { params: { id: list.id }, body }),
    onSuccess: async ({ email, status }) => {
      toast.success(
        status === "unconfirmed" ? `${email} gets a mail to confirm` : `${email} is subscribed`,
      );
      onClose();
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
  });
  const submit = (given: FormData) => {
    const text = (name: string) => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const filled = Object.entries(fields).filter(([, value]) => value.trim() !== "");
    const checked = subscriberCreate.safeParse({
      email: text("email"),
      ...(text("firstName") ? { firstName: text("firstName") } : {}),
      ...(text("lastName") ? { lastName: text("lastName") } : {}),
      fields: Object.fromEntries(filled),
    });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) add.mutate(checked.data);
  };
  const fault = (name: string) => faults[name] ?? fieldFault(add.error, name);
  const paths = ["email", "firstName", "lastName", ...list.fields.map(({ tag }) => tag)];
  return (
    <DialogForm
      title={`Add to “${list.name}”`}
      description={
        list.subscribeConfirmation
          ? "They get a mail and are subscribed once they confirm."
          : "They are subscribed at once: add those who asked for it."
      }
      action="Add subscriber"
      onClose={onClose}
      onSubmit={submit}
      pending={add.isPending}
      fault={formFault(add.error, paths)}
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
      <MemberFields fields={list.fields} value={fields} onChange={setFields} fault={fault} />
    </DialogForm>
  );
}
