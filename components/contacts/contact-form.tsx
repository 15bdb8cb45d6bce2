"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { queryKey } from "@/components/api/query-keys";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject } from "@/components/api/project-context";
import { useUnsaved } from "@/components/form/use-unsaved";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { submitByKeys } from "@/components/ui/submit-by-keys";
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

const fields = ["email", "firstName", "lastName", "tags", "data"];

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
  const [base, setBase] = useState(contact);
  const [draft, setDraft] = useState(() => draftOf(contact));
  const [faults, setFaults] = useState<Faults>({});
  const changes = changesOf(base, draft);
  const dirty = Object.keys(changes).length > 0;
  // Somebody else's change shows at once while nothing is being typed here.
  if (!dirty && contact.updatedAt !== base.updatedAt) {
    setBase(contact);
    setDraft(draftOf(contact));
  }
  useUnsaved(dirty);
  const save = useMutation({
    mutationFn: (body: ContactUpdate) =>
      api("PATCH /v1/contacts/{id}", { params: { id: contact.id }, body }),
    onSuccess: (saved) => {
      setBase(saved);
      setDraft(draftOf(saved));
      queries.setQueryData(
        queryKey(projectId, "GET /v1/contacts/{id}", { params: { id: contact.id } }),
        saved,
      );
      toast.success("Saved");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    const checked = contactUpdate.safeParse(changes);
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) save.mutate(checked.data);
  };
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const fault = (name: string) => faults[name] ?? fieldFault(save.error, name);
  const whole = formFault(save.error, fields);
  return (
    <form
      onSubmit={submit}
      onKeyDown={submitByKeys}
      className="flex flex-col gap-4"
      aria-label="Contact"
      noValidate
    >
      {whole && (
        <Callout kind="danger" alert>
          {whole}
        </Callout>
      )}
      <Field label="Email" name="email" error={fault("email")}>
        <Input
          type="email"
          value={draft.email}
          disabled={!may}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set({ email: target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" name="firstName" error={fault("firstName")}>
          <Input
            value={draft.firstName}
            disabled={!may}
            autoComplete="off"
            onChange={({ target }) => set({ firstName: target.value })}
          />
        </Field>
        <Field label="Last name" name="lastName" error={fault("lastName")}>
          <Input
            value={draft.lastName}
            disabled={!may}
            autoComplete="off"
            onChange={({ target }) => set({ lastName: target.value })}
          />
        </Field>
      </div>
      <TagInput
        value={draft.tags}
        disabled={!may}
        error={fault("tags")}
        onChange={(tags) => set({ tags })}
      />
      <AttributeRows
        rows={draft.rows}
        disabled={!may}
        error={fault("data")}
        onChange={(rows) => set({ rows })}
      />
      {may && (
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary" disabled={!dirty} pending={save.isPending}>
            Save changes
          </Button>
          {dirty && (
            <Button
              variant="ghost"
              onClick={() => {
                setDraft(draftOf(base));
                setFaults({});
                save.reset();
              }}
            >
              Discard
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
