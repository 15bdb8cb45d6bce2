"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { FormFault } from "@/components/form/form-fault";
import { SaveButton } from "@/components/form/save-button";
import { changedPart } from "@/components/form/changed";
import { eitherSchema } from "@/components/form/lazy-schema";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Callout } from "@/components/ui/callout";
import { Island } from "@/components/ui/island";
import { PageHeader } from "@/components/ui/page-header";
import { toast } from "@/components/ui/toast";
import type { Form, FormInput, FormQuestion, FormUpdate } from "@/lib/domain/forms/schema";
import type { MailingListDetail } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { draftOf, fieldLabels, inputOf, newDraft, tell, writtenIn, type FormDraft } from "./draft";
import { AccessPart, AudiencePart, LookPart, Part, type FormChoices } from "./form-fields";
import { FormHeader } from "./form-header";
import { FormPreview } from "./form-preview";
import { QuestionFields } from "./question-fields";
import { questionsOf } from "./questions";
import { formInput, formUpdate } from "./schemas";
import { AfterPart, TextPart } from "./text-parts";

/** Creates or changes a form, and shows beside it what visitors will see. */
export function FormEditor({
  initial,
  start = [],
  list: initialList,
  canSend = true,
  choices,
}: {
  /** Null for a new one, which begins with the questions of `start` and with the list. */
  initial: Form | null;
  start?: FormQuestion[];
  /** The form's, if it has one. */
  list: MailingListDetail | null;
  /** Whether the project has a verified domain. */
  canSend?: boolean;
  choices: FormChoices;
}) {
  const api = useApi();
  const path = useProjectPath();
  const { id: projectId } = useProject();
  const router = useRouter();
  const may = useMay("editor");
  const id = useId();
  const [saved, setSaved] = useState(initial);
  const [choseOwnPage, setChoseOwnPage] = useState(Boolean(initial?.thanksUrl));
  const saves = useSaves<Form, FormDraft, FormUpdate>(
    saved && {
      saved,
      onNewer: setSaved,
      draftOf,
      written: (body) => writtenIn(body),
      change: (body) => api("PATCH /v1/forms/{id}", { params: { id: saved.id }, body }),
      read: () => api("GET /v1/forms/{id}", { params: { id: saved.id } }),
    },
  );
  const form = useForm({
    initial: () => (initial ? draftOf(initial) : newDraft(initialList?.id ?? "", start)),
    schema: eitherSchema(saved !== null, formUpdate, formInput),
    input: (draft: FormDraft, base) => inputOf(saved ? changedPart(base, draft) : draft),
    check: ({ thanksUrl }) =>
      choseOwnPage && thanksUrl.trim() === ""
        ? { thanksUrl: t("Name the address, or choose our page.") }
        : {},
    leaves: !initial,
    ...(saved ? { onUnchanged: () => undefined } : {}),
    send: (body) => (saved ? saves.save(body) : api("POST /v1/forms", { body: body as FormInput })),
    onSent: (stored) => {
      form.rebase(draftOf(stored));
      if (saved) {
        setSaved(stored);
        toast.success(t("Saved. Pasted snippets stay as they are"));
      } else {
        toast.success(t("{name} created", { name: stored.name }));
        router.push(path(`forms/${stored.id}/share`));
      }
    },
  });
  const { draft } = form;
  const ownPage = choseOwnPage || draft.thanksUrl !== "";
  const list = useRead(
    "GET /v1/lists/{id}",
    { params: { id: draft.listId } },
    {
      enabled: draft.listId !== "",
      every: 60_000,
      staleTime: 60_000,
      ...(initialList?.id === draft.listId ? { initial: initialList } : {}),
    },
  );
  const nameOf = (thing: string) =>
    [...(list.data ? [list.data] : []), ...choices.lists, ...choices.topics].find(
      (other) => other.id === thing,
    )?.name ?? thing;
  const shared = { form, choices, disabled: !may };
  const submit = may && (
    <SaveButton form={form} saved={saved !== null} create={t("Create form")} formId={id} />
  );
  return (
    <>
      {initial ? (
        <FormHeader initial={initial} canSend={canSend} actions={submit} />
      ) : (
        <PageHeader
          title={t("New form")}
          description={t(
            "It works as it is: create it, then put it on your page. You can change everything later.",
          )}
          back={{ href: path("forms"), label: t("Forms") }}
          actions={submit}
        />
      )}
      <form id={id} aria-label={t("Form")} {...form.props}>
        <div className="mb-5 empty:hidden">
          <FormFault of={form} />
        </div>
        {!may && (
          <div className="mb-5">
            <Callout kind="info">{t("Editors, admins and owners can change this form.")}</Callout>
          </div>
        )}
        <Unsettled
          form={form}
          saves={saves}
          draftOf={draftOf}
          keptAs={initial?.id ?? `new-form.${projectId}`}
          label={(field) => fieldLabels[field]}
          tell={(version, field) => tell(version, field, nameOf)}
        />
        <div className="grid grid-cols-1 gap-x-10 gap-y-9 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <div className="flex flex-col gap-9">
            <AudiencePart {...shared} />
            <Part title={t("What it asks")}>
              <QuestionFields
                questions={draft.questions}
                ofList={questionsOf(draft.listId === "" ? [] : (list.data?.fields ?? []))}
                attributes={choices.attributes}
                onChange={(questions) => form.set({ questions })}
                fault={form.fault}
                disabled={!may}
              />
            </Part>
            <TextPart {...shared} />
            <AfterPart
              {...shared}
              ownPage={ownPage}
              onOwnPage={(own) => {
                setChoseOwnPage(own);
                if (!own) form.set({ thanksUrl: "" });
              }}
            />
            <LookPart {...shared} />
            <AccessPart {...shared} />
          </div>
          <div className="lg:sticky lg:top-6 lg:self-start">
            <Island>
              <FormPreview draft={draft} languages={choices.languages} />
            </Island>
          </div>
        </div>
      </form>
    </>
  );
}
