"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import {
  subscriberUpdate,
  type ListMember,
  type MailingListDetail,
  type SubscriberUpdate,
} from "@/lib/domain/lists/schema";
import { MemberFields } from "./member-fields";

/** What the list knows of a person, to be changed; address and names are the contact's everywhere. */
export function EditSubscriber({
  list,
  member,
  onClose,
}: {
  list: MailingListDetail;
  member: ListMember;
  onClose: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const [fields, setFields] = useState(member.fields);
  const save = useMutation({
    mutationFn: (body: SubscriberUpdate) =>
      api("PATCH /v1/subscribers/{id}", { params: { id: member.id }, body }),
    onSuccess: async () => {
      toast.success("Saved");
      onClose();
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
  });
  const submit = (given: FormData) => {
    const body: SubscriberUpdate = {};
    for (const name of ["email", "firstName", "lastName"] as const) {
      const text = given.get(name);
      if (typeof text === "string" && text.trim() !== member[name]) body[name] = text.trim();
    }
    const changed = Object.entries(fields).filter(
      ([tag, value]) => value !== (member.fields[tag] ?? ""),
    );
    if (changed.length > 0) body.fields = Object.fromEntries(changed);
    if (Object.keys(body).length === 0) {
      onClose();
      return;
    }
    const checked = subscriberUpdate.safeParse(body);
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) save.mutate(checked.data);
  };
  const fault = (name: string) => faults[name] ?? fieldFault(save.error, name);
  const paths = ["email", "firstName", "lastName", ...list.fields.map(({ tag }) => tag)];
  return (
    <DialogForm
      title={`Edit ${member.email}`}
      description="Address and names change on the contact, and so on every list."
      action="Save changes"
      onClose={onClose}
      onSubmit={submit}
      pending={save.isPending}
      fault={formFault(save.error, paths)}
    >
      <Field label="Email" name="email" error={fault("email")}>
        <Input
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={member.email}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" optional error={fault("firstName")}>
          <Input autoComplete="off" defaultValue={member.firstName} />
        </Field>
        <Field label="Last name" name="lastName" optional error={fault("lastName")}>
          <Input autoComplete="off" defaultValue={member.lastName} />
        </Field>
      </div>
      <MemberFields fields={list.fields} value={fields} onChange={setFields} fault={fault} />
    </DialogForm>
  );
}
