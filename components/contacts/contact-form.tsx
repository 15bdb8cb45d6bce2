"use client";

import { useState } from "react";
import { useStore } from "@/components/api/use-store";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { FormFault } from "@/components/form/form-fault";
import { Conflict } from "@/components/form/conflict";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { Contact, ContactUpdate } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { AttributeRows } from "./attribute-rows";
import {
  changesOf,
  draftOf,
  draftWith,
  fieldsOf,
  labelOf,
  writtenFields,
  type MergeFields,
} from "./contact-changes";
import { TagInput } from "./tag-input";

const contactUpdate = lazySchema(
  async () => (await import("@/lib/domain/contacts/schema")).contactUpdate,
);

/** What is known about a person, editable in place. */
export function ContactForm({ contact }: { contact: Contact }) {
  const api = useApi();
  const store = useStore("GET /v1/contacts/{id}");
  const may = useMay("editor");
  const [seen, setSeen] = useState(contact);
  const params = { id: contact.id };
  const saves = useSaves<Contact, MergeFields, ContactUpdate>({
    saved: seen,
    onNewer: setSeen,
    draftOf: fieldsOf,
    written: writtenFields,
    change: (body) => api("PATCH /v1/contacts/{id}", { params, body }),
    read: () => api("GET /v1/contacts/{id}", { params }),
  });
  const form = useForm({
    initial: () => draftOf(contact),
    schema: contactUpdate,
    input: (draft) => changesOf(seen, draft),
    places: ["email", "firstName", "lastName", "tags", "data"],
    onUnchanged: () => undefined,
    send: saves.save,
    onSent: (saved) => {
      setSeen(saved);
      form.rebase(draftOf(saved));
      store({ params: { id: contact.id } }, saved);
      toast.success(t("Saved"));
    },
  });
  // Somebody else's change shows at once while nothing is being typed here.
  if (!form.dirty && !form.pending && contact.updatedAt !== seen.updatedAt) {
    setSeen(contact);
    form.rebase(draftOf(contact));
  }
  const { conflict } = saves;
  /** Goes on from what the server has by now, with the changes made here except `without`. */
  const settle = (theirs: Contact, without: readonly string[]) => {
    const draft = draftWith(theirs, changesOf(seen, form.draft), without);
    form.receive(draftOf(theirs));
    form.set(draft);
    saves.decide();
  };
  return (
    <form aria-label={t("Contact")} {...form.props} className="flex flex-col gap-4">
      {conflict ? (
        <Conflict
          differences={conflict.fields.map((field) => ({
            label: labelOf(field),
            mine: writtenFields(changesOf(seen, form.draft))[field] ?? "",
            theirs: fieldsOf(conflict.theirs)[field] ?? "",
          }))}
          onKeepMine={() => settle(conflict.theirs, [])}
          onTakeTheirs={() => settle(conflict.theirs, conflict.fields)}
        />
      ) : (
        <FormFault of={form} />
      )}
      <Field label={t("Email")} name="email" error={form.fault("email")}>
        <Input
          type="email"
          {...form.text("email")}
          disabled={!may}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("First name")} name="firstName" error={form.fault("firstName")}>
          <Input {...form.text("firstName")} disabled={!may} autoComplete="off" />
        </Field>
        <Field label={t("Last name")} name="lastName" error={form.fault("lastName")}>
          <Input {...form.text("lastName")} disabled={!may} autoComplete="off" />
        </Field>
      </div>
      <TagInput
        value={form.draft.tags}
        disabled={!may}
        error={form.faultWithin("tags")}
        onChange={(tags) => form.set({ tags })}
      />
      <AttributeRows
        rows={form.draft.rows}
        disabled={!may}
        error={form.faultWithin("data")}
        onChange={(rows) => form.set({ rows })}
      />
      {may && (
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary" disabled={!form.dirty} pending={form.pending}>
            {t("Save changes")}
          </Button>
          {form.dirty && (
            <Button variant="ghost" onClick={form.discard}>
              {t("Discard")}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
