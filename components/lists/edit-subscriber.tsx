"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { Conflict } from "@/components/form/conflict";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { ListMember, MailingListDetail, SubscriberUpdate } from "@/lib/domain/lists/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { MemberFields, type FieldValues } from "./member-fields";

const subscriberUpdate = lazySchema(
  async () => (await import("@/lib/domain/lists/schema")).subscriberUpdate,
);

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

const labels: Readonly<Record<string, string>> = phrases({
  email: "Email",
  firstName: "First name",
  lastName: "Last name",
});

type MemberTexts = Readonly<Record<string, string | undefined>>;

const ofList = "fields.";

/** What two people can edit without clashing: each of the list's fields counts on its own. */
const textsOf = ({ email, firstName, lastName, fields = {} }: SubscriberUpdate): MemberTexts => ({
  ...(email === undefined ? {} : { email }),
  ...(firstName === undefined ? {} : { firstName }),
  ...(lastName === undefined ? {} : { lastName }),
  ...Object.fromEntries(
    Object.entries(fields).map(([tag, value]) => [ofList + tag, value || undefined]),
  ),
});

/** Theirs with the changes made here; fields in `without` are left as they are. */
function draftWith(theirs: ListMember, mine: SubscriberUpdate, without: readonly string[]): Draft {
  const { email, firstName, lastName, fields } = theirs;
  const kept = Object.fromEntries(
    Object.entries(mine).filter(([name]) => name !== "fields" && !without.includes(name)),
  );
  const keptFields = Object.fromEntries(
    Object.entries(mine.fields ?? {}).filter(([tag]) => !without.includes(ofList + tag)),
  );
  return { email, firstName, lastName, ...kept, fields: { ...fields, ...keptFields } };
}

/** Edits what the list knows about a person; address and names are the contact's everywhere. */
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
  const params = { id: member.id };
  const [saved, setSaved] = useState(member);
  const saves = useSaves<ListMember, MemberTexts, SubscriberUpdate>({
    saved,
    onNewer: setSaved,
    draftOf: textsOf,
    written: textsOf,
    change: (body) => api("PATCH /v1/subscribers/{id}", { params, body }),
    read: () => api("GET /v1/subscribers/{id}", { params }),
  });
  const form = useForm({
    initial: draftWith(member, {}, []),
    schema: subscriberUpdate,
    input: changesOf,
    // The list's own fields are refused under their tags.
    places: ["email", "firstName", "lastName", ...list.fields.map(({ tag }) => tag)],
    onUnchanged: onClose,
    leaves: true,
    send: saves.save,
    onSent: () => {
      toast.success(t("Saved"));
      onClose();
    },
  });
  const { conflict } = saves;
  const mine = changesOf(form.draft, form.base);
  const settle = (theirs: ListMember, without: readonly string[]) => {
    form.receive(draftWith(theirs, {}, []));
    form.set(draftWith(theirs, mine, without));
    saves.decide();
  };
  const labelOf = (place: string) =>
    labels[place] ??
    list.fields.find(({ tag }) => ofList + tag === place)?.label ??
    place.slice(ofList.length);
  return (
    <DialogForm
      title={t("Edit {email}", { email: member.email })}
      description={t("The address and names belong to the contact, so they change on every list.")}
      action={t("Save changes")}
      onClose={onClose}
      form={form}
    >
      {conflict && (
        <Conflict
          differences={conflict.fields.map((place) => ({
            label: labelOf(place),
            mine: textsOf(mine)[place] ?? "",
            theirs: textsOf(conflict.theirs)[place] ?? "",
          }))}
          onKeepMine={() => settle(conflict.theirs, [])}
          onTakeTheirs={() => settle(conflict.theirs, conflict.fields)}
        />
      )}
      <Field label={t("Email")} name="email" error={form.fault("email")}>
        <Input
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.text("email")}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("First name")} name="firstName" optional error={form.fault("firstName")}>
          <Input autoComplete="off" {...form.text("firstName")} />
        </Field>
        <Field label={t("Last name")} name="lastName" optional error={form.fault("lastName")}>
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
