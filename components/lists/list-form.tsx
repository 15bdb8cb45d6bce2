"use client";

import { useRouter } from "next/navigation";
import { useStore } from "@/components/api/use-store";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { FormFault } from "@/components/form/form-fault";
import { changedPart } from "@/components/form/changed";
import { Unsettled } from "@/components/form/unsaved-changes";
import { eitherSchema, lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { Island } from "@/components/ui/island";
import { toast } from "@/components/ui/toast";
import { Switch } from "@/components/ui/switch";
import type { ListInput, ListUpdate, MailingListDetail } from "@/lib/domain/lists/schema";
import { MailTemplateField } from "@/components/own-mails/mail-template-field";
import { phrases, t } from "@/lib/ground/texts/t";
import { AddressFields, postalFields, type Country, type PostalContact } from "./address-fields";

const schemas = () => import("@/lib/domain/lists/schema");
const listInput = lazySchema(async () => (await schemas()).listInput);
const listUpdate = lazySchema(async () => (await schemas()).listUpdate);

interface Draft {
  name: string;
  fromName: string;
  fromEmail: string;
  defaultSubject: string;
  contact: PostalContact;
  subscribeConfirmation: boolean;
  sendWelcomeEmail: boolean;
  unsubscribeNotification: boolean;
  confirmationTemplateId: string | null;
  welcomeTemplateId: string | null;
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
  confirmationTemplateId: null,
  welcomeTemplateId: null,
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
  confirmationTemplateId: list.confirmationTemplateId,
  welcomeTemplateId: list.welcomeTemplateId,
});

const labels: Readonly<Record<keyof Draft, string>> = phrases({
  name: "Name",
  fromName: "Sender name",
  fromEmail: "Sender address",
  defaultSubject: "Default subject",
  contact: "Postal address",
  subscribeConfirmation: "Ask for confirmation",
  sendWelcomeEmail: "Welcome new subscribers",
  unsubscribeNotification: "Notify us of unsubscribes",
  confirmationTemplateId: "Confirmation email",
  welcomeTemplateId: "Welcome email",
});

function tell(draft: Draft, field: keyof Draft): string {
  const value = draft[field];
  if (value === null) return t("The standard one");
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? t("On") : t("Off");
  return Object.values(value).filter(Boolean).join("\n");
}

const paths = [
  ...["name", "fromName", "fromEmail", "defaultSubject"],
  ...["confirmationTemplateId", "welcomeTemplateId"],
];
const addressPlaces = postalFields.map((name) => `contact.${name}`);

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
  const store = useStore("GET /v1/lists/{id}");
  const may = useMay("editor");
  const [saved, setSaved] = useState(list ?? null);
  const saves = useSaves<MailingListDetail, Draft, ListUpdate>(
    saved && {
      saved,
      onNewer: setSaved,
      draftOf,
      change: (body) => api("PATCH /v1/lists/{id}", { params: { id: saved.id }, body }),
      read: () => api("GET /v1/lists/{id}", { params: { id: saved.id } }),
    },
  );
  const form = useForm({
    initial: list ? draftOf(list) : empty,
    schema: eitherSchema(list !== undefined, listUpdate, listInput),
    input: (draft: Draft, base) => (list ? changedPart(base, draft) : draft),
    places: [...paths, ...addressPlaces],
    leaves: !list,
    ...(list ? { onUnchanged: () => undefined } : {}),
    send: (body) => (list ? saves.save(body) : api("POST /v1/lists", { body: body as ListInput })),
    onSent: (stored) => {
      store({ params: { id: stored.id } }, stored);
      setSaved(stored);
      form.rebase(draftOf(stored));
      if (list) {
        toast.success(t("Saved"));
        router.refresh();
      } else router.push(path(`lists/${stored.id}`));
    },
  });
  // Somebody else's change shows at once while nothing is being typed here.
  if (list && saved && !form.dirty && !form.pending && list.updatedAt > saved.updatedAt) {
    setSaved(list);
    form.rebase(draftOf(list));
  }
  const { draft, set, fault } = form;
  return (
    <form aria-label={t("List")} {...form.props} className="flex max-w-3xl flex-col gap-9">
      <FormFault of={form} />
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={list?.id ?? `new-list.${projectId}`}
        label={(field) => labels[field]}
        tell={tell}
      />
      {saved && !saved.senderVerified && (
        <Callout kind="warning">
          {t(
            "The domain of {fromEmail} is not verified, so this list’s own mail comes from another address. Verify it under Domains, or choose another sender.",
            { fromEmail: saved.fromEmail },
          )}
        </Callout>
      )}
      <fieldset disabled={!may} className="flex flex-col gap-4">
        <legend className="display mb-3 text-xl">{t("Name and sender")}</legend>
        <Field
          label={t("Name")}
          name="name"
          hint={t("Subscribers see it when they confirm, change their preferences or unsubscribe.")}
          error={fault("name")}
        >
          <Input
            autoFocus={!list}
            autoComplete="off"
            placeholder={t("The weekly letter")}
            {...form.text("name")}
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t("Sender name")} name="fromName" optional error={fault("fromName")}>
            <Input autoComplete="off" placeholder={t("Ada of Acme")} {...form.text("fromName")} />
          </Field>
          <Field
            label={t("Sender address")}
            name="fromEmail"
            hint={t("At one of your verified domains.")}
            error={fault("fromEmail")}
          >
            <Input
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="letter@example.com"
              {...form.text("fromEmail")}
            />
          </Field>
        </div>
        <Field
          label={t("Default subject")}
          name="defaultSubject"
          optional
          hint={t(
            "For programs that write mail for the list; they read it through the platform API.",
          )}
          error={fault("defaultSubject")}
        >
          <Input autoComplete="off" {...form.text("defaultSubject")} />
        </Field>
      </fieldset>
      <Island>
        <AddressFields
          value={draft.contact}
          countries={countries}
          disabled={!may}
          fault={(name) => fault(`contact.${name}`)}
          onChange={(contact) => set({ contact })}
        />
      </Island>
      <fieldset className="flex min-w-0 flex-col gap-4">
        <legend className="display mb-3 text-xl">{t("Automatic emails")}</legend>
        <Switch
          label={t("Ask for confirmation")}
          hint={t(
            "New people get an email with a link and are subscribed once they confirm. This keeps out addresses that somebody else typed in.",
          )}
          checked={draft.subscribeConfirmation}
          disabled={!may}
          onChange={(subscribeConfirmation) => set({ subscribeConfirmation })}
        />
        <MailTemplateField
          label={t("Confirmation email")}
          name="confirmationTemplateId"
          hint={t(
            "Sign-up forms for this list send it, too, unless they say something of their own.",
          )}
          standard={t("The standard one, in the reader’s language")}
          begin="confirm-subscription"
          value={draft.confirmationTemplateId}
          disabled={!may}
          error={fault("confirmationTemplateId")}
          onChange={(confirmationTemplateId) => set({ confirmationTemplateId })}
        />
        <Switch
          label={t("Welcome new subscribers")}
          hint={t("An email as soon as they are subscribed.")}
          checked={draft.sendWelcomeEmail}
          disabled={!may}
          onChange={(sendWelcomeEmail) => set({ sendWelcomeEmail })}
        />
        {(draft.sendWelcomeEmail || draft.welcomeTemplateId !== null) && (
          <MailTemplateField
            label={t("Welcome email")}
            name="welcomeTemplateId"
            hint={t("Mail programs offer to unsubscribe with one click, whichever you choose.")}
            standard={t("The standard one, in the reader’s language")}
            begin="welcome-list"
            value={draft.welcomeTemplateId}
            disabled={!may}
            error={fault("welcomeTemplateId")}
            onChange={(welcomeTemplateId) => set({ welcomeTemplateId })}
          />
        )}
        <Switch
          label={t("Notify us of unsubscribes")}
          hint={t(
            "The list’s contact, or else its sender, gets an email when somebody unsubscribes.",
          )}
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
            disabled={Boolean(list) && !form.dirty}
            pending={form.pending}
          >
            {list ? t("Save changes") : t("Create list")}
          </Button>
          {list && form.dirty && (
            <Button variant="ghost" onClick={form.discard}>
              {t("Discard")}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
