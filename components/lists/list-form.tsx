"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState, type FormEvent } from "react";
import { fieldFault, formFault, type Faults } from "@/components/api/faults";
import { queryKey } from "@/components/api/query-keys";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useUnsaved } from "@/components/form/use-unsaved";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { submitByKeys } from "@/components/ui/submit-by-keys";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/toggle";
import { listInput, type ListInput, type MailingListDetail } from "@/lib/domain/lists/schema";
import { AddressFields, type Country, type PostalContact } from "./address-fields";

interface Draft {
  name: string;
  fromName: string;
  fromEmail: string;
  defaultSubject: string;
  contact: PostalContact;
  subscribeConfirmation: boolean;
  sendWelcomeEmail: boolean;
  unsubscribeNotification: boolean;
}

const empty: Draft = {
  name: "",
  fromName: "",
  fromEmail: "",
  defaultSubject: "",
  contact: {},
  subscribeConfirmation: true,
  sendWelcomeEmail: false,
  unsubscribeNotification: false,
};

const draftOf = (list: MailingListDetail): Draft => ({
  name: list.name,
  fromName: list.fromName,
  fromEmail: list.fromEmail,
  defaultSubject: list.defaultSubject,
  contact: list.contact,
  subscribeConfirmation: list.subscribeConfirmation,
  sendWelcomeEmail: list.sendWelcomeEmail,
  unsubscribeNotification: list.unsubscribeNotification,
});

const paths = ["name", "fromName", "fromEmail", "defaultSubject"];

/** Name, sender, postal address and mails of a list: of a new one, or of `list`. */
export function ListForm({
  list,
  countries,
}: {
  list?: MailingListDetail;
  countries: readonly Country[];
}) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const may = useMay("editor");
  const [base, setBase] = useState(list ? draftOf(list) : empty);
  const [draft, setDraft] = useState(base);
  const [faults, setFaults] = useState<Faults>({});
  const dirty = JSON.stringify(draft) !== JSON.stringify(base);
  const save = useMutation({
    mutationFn: (body: ListInput) =>
      list
        ? api("PATCH /v1/lists/{id}", { params: { id: list.id }, body })
        : api("POST /v1/lists", { body }),
    onSuccess: (saved) => {
      setBase(draft);
      queries.setQueryData(
        queryKey(projectId, "GET /v1/lists/{id}", { params: { id: saved.id } }),
        saved,
      );
      if (list) {
        setBase(draftOf(saved));
        setDraft(draftOf(saved));
        toast.success("Saved");
        router.refresh();
      } else router.push(path(`lists/${saved.id}`));
    },
  });
  useUnsaved(dirty && !save.isSuccess);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const checked = listInput.safeParse(draft);
    setFaults(
      Object.fromEntries(
        (checked.error?.issues ?? []).map((issue) => [
          issue.path.join("."),
          `This ${issue.message}.`,
        ]),
      ),
    );
    if (checked.success) save.mutate(checked.data);
  };
  const set = (part: Partial<Draft>) => {
    if (save.isSuccess && list) save.reset();
    setDraft({ ...draft, ...part });
  };
  const fault = (name: string) => faults[name] ?? fieldFault(save.error, name);
  const addressPaths = Object.keys(draft.contact).map((name) => `contact.${name}`);
  const whole = formFault(save.error, [...paths, ...addressPaths]);
  return (
    <form
      onSubmit={submit}
      onKeyDown={submitByKeys}
      aria-label="List"
      className="flex max-w-3xl flex-col gap-9"
      noValidate
    >
      {whole && (
        <Callout kind="danger" alert>
          {whole}
        </Callout>
      )}
      <fieldset disabled={!may} className="flex flex-col gap-4">
        <legend className="display mb-3 text-xl">Name and sender</legend>
        <Field
          label="Name"
          name="name"
          hint="Subscribers read it, too: where they confirm, choose and leave."
          error={fault("name")}
        >
          <Input
            autoFocus={!list}
            autoComplete="off"
            placeholder="The weekly letter"
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Sender’s name" name="fromName" optional error={fault("fromName")}>
            <Input
              autoComplete="off"
              placeholder="Ada of Acme"
              value={draft.fromName}
              onChange={({ target }) => set({ fromName: target.value })}
            />
          </Field>
          <Field
            label="Sender’s address"
            name="fromEmail"
            hint="At a domain that is verified here."
            error={fault("fromEmail")}
          >
            <Input
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="letter@example.com"
              value={draft.fromEmail}
              onChange={({ target }) => set({ fromEmail: target.value })}
            />
          </Field>
        </div>
        <Field
          label="Subject"
          name="defaultSubject"
          optional
          hint="For programs that make mail for the list: they read it through the platform API."
          error={fault("defaultSubject")}
        >
          <Input
            autoComplete="off"
            value={draft.defaultSubject}
            onChange={({ target }) => set({ defaultSubject: target.value })}
          />
        </Field>
      </fieldset>
      <AddressFields
        value={draft.contact}
        countries={countries}
        disabled={!may}
        fault={(name) => fault(`contact.${name}`)}
        onChange={(contact) => set({ contact })}
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="display mb-3 text-xl">Mails of the list</legend>
        <Switch
          label="Ask for confirmation"
          hint="Whoever is signed up gets a mail with a link, and is subscribed once it is opened. Keeps out addresses that others typed in."
          checked={draft.subscribeConfirmation}
          disabled={!may}
          onChange={(subscribeConfirmation) => set({ subscribeConfirmation })}
        />
        <Switch
          label="Welcome new subscribers"
          hint="A mail as soon as they are subscribed."
          checked={draft.sendWelcomeEmail}
          disabled={!may}
          onChange={(sendWelcomeEmail) => set({ sendWelcomeEmail })}
        />
        <Switch
          label="Confirm when they leave"
          hint="A last mail that says they are off the list."
          checked={draft.unsubscribeNotification}
          disabled={!may}
          onChange={(unsubscribeNotification) => set({ unsubscribeNotification })}
        />
      </fieldset>
      {may && (
        <div className="flex items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            disabled={Boolean(list) && !dirty}
            pending={save.isPending || (!list && save.isSuccess)}
          >
            {list ? "Save changes" : "Create list"}
          </Button>
          {list && dirty && (
            <Button
              variant="ghost"
              onClick={() => {
                setDraft(base);
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
