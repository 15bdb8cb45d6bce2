"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queryKey } from "@/components/api/query-keys";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject } from "@/components/api/project-context";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { contactUpdate, type Contact, type ContactUpdate } from "@/lib/domain/contacts/schema";
import { AttributeRows } from "./attribute-rows";
import { attributeChanges, attributeText, type AttributeRow } from "./attributes";
import { TagInput } from "./tag-input";

interface Draft {
  email: string;
  firstName: string;
  lastName: string;
  tags: string[];
  rows: AttributeRow[];
}

const draftOf = ({ email, firstName, lastName, tags, data }: Contact): Draft => ({
  email,
  firstName,
  lastName,
  tags,
  rows: Object.entries(data).map(([key, value]) => ({ key, text: attributeText(value) })),
});

/** What differs from the contact; only that is sent, so that others' changes stay. */
function changesOf(contact: Contact, draft: Draft): ContactUpdate {
  const changes: ContactUpdate = {};
  for (const name of ["email", "firstName", "lastName"] as const) {
    if (draft[name].trim() !== contact[name]) changes[name] = draft[name].trim();
  }
  if (draft.tags.join("\n") !== contact.tags.join("\n")) changes.tags = draft.tags;
  const data = attributeChanges(contact.data, draft.rows);
  if (Object.keys(data).length > 0) changes.data = data;
  return changes;
}

/** What is known of a person, to be changed in place. */
export function ContactForm({ contact }: { contact: Contact }) {
  const { id: projectId } = useProject();
  const api = useApi();
  const queries = useQueryClient();
  const may = useMay("editor");
  const [seen, setSeen] = useState(contact);
  const form = useForm({
    initial: () => draftOf(contact),
    schema: contactUpdate,
    input: (draft) => changesOf(seen, draft),
    places: ["email", "firstName", "lastName", "tags", "data"],
    onUnchanged: () => undefined,
    send: (body) => api("PATCH /v1/contacts/{id}", { params: { id: contact.id }, body }),
    onSent: (saved) => {
      setSeen(saved);
      form.rebase(draftOf(saved));
      queries.setQueryData(
        queryKey(projectId, "GET /v1/contacts/{id}", { params: { id: contact.id } }),
        saved,
      );
      toast.success("Saved");
    },
  });
  // Somebody else's change shows at once while nothing is being typed here.
  if (!form.dirty && !form.pending && contact.updatedAt !== seen.updatedAt) {
    setSeen(contact);
    form.rebase(draftOf(contact));
  }
  return (
    <form aria-label="Contact" {...form.props} className="flex flex-col gap-4">
      {form.whole && (
        <Callout kind="danger" alert>
          {form.whole}
        </Callout>
      )}
      <Field label="Email" name="email" error={form.fault("email")}>
        <Input
          type="email"
          {...form.text("email")}
          disabled={!may}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" error={form.fault("firstName")}>
          <Input {...form.text("firstName")} disabled={!may} autoComplete="off" />
        </Field>
        <Field label="Last name" name="lastName" error={form.fault("lastName")}>
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
            Save changes
          </Button>
          {form.dirty && (
            <Button variant="ghost" onClick={form.discard}>
              Discard
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
