"use client";

import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import {
  subscriberUpdate,
  type ListMember,
  type MailingListDetail,
  type SubscriberUpdate,
} from "@/lib/domain/lists/schema";
import { MemberFields, type FieldValues } from "./member-fields";

interface Draft {
  email: string;
  firstName: string;
  lastName: string;
  fields: FieldValues;
}

/** Only what was changed is sent, so that others' changes stay. */
function changesOf({ fields, ...names }: Draft, base: Draft): SubscriberUpdate {
  const trimmed = Object.fromEntries(
    Object.entries(names).map(([name, text]) => [name, text.trim()]),
  ) as Omit<Draft, "fields">;
  const { fields: fieldsBefore, ...namesBefore } = base;
  const changed = Object.entries(fields).filter(
    ([tag, value]) => value !== (fieldsBefore[tag] ?? ""),
  );
  return {
    ...changedPart(namesBefore, trimmed),
    ...(changed.length > 0 ? { fields: Object.fromEntries(changed) } : {}),
  };
}

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
  const form = useForm({
    initial: {
      email: member.email,
      firstName: member.firstName,
      lastName: member.lastName,
      fields: member.fields,
    },
    schema: subscriberUpdate,
    input: changesOf,
    // The list's own fields are refused under their tags.
    places: ["email", "firstName", "lastName", ...list.fields.map(({ tag }) => tag)],
    onUnchanged: onClose,
    leaves: true,
    send: (body) => api("PATCH /v1/subscribers/{id}", { params: { id: member.id }, body }),
    onSent: () => {
      toast.success("Saved");
      onClose();
    },
  });
  return (
    <DialogForm
      title={`Edit ${member.email}`}
      description="The address and names belong to the contact, so they change on every list."
      action="Save changes"
      onClose={onClose}
      form={form}
    >
      <Field label="Email" name="email" error={form.fault("email")}>
        <Input
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.text("email")}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" optional error={form.fault("firstName")}>
          <Input autoComplete="off" {...form.text("firstName")} />
        </Field>
        <Field label="Last name" name="lastName" optional error={form.fault("lastName")}>
          <Input autoComplete="off" {...form.text("lastName")} />
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
