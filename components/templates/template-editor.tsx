"use client";

import { History, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { FormFault } from "@/components/form/form-fault";
import { OthersHere } from "@/components/form/others-here";
import { SaveButton } from "@/components/form/save-button";
import { changedPart } from "@/components/form/changed";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useAction } from "@/components/form/use-action";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { ContentEditor, firstTab } from "@/components/mail-editor/content-editor";
import { designText } from "@/components/mail-editor/design-text";
import type { Starter } from "@/components/mail-editor/starter-parts";
import type { StarterLanguage } from "@/components/mail-editor/starter-words";
import { PersonalField } from "@/components/source-editor/personal-field";
import { Button, LinkButton } from "@/components/ui/button";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { KeptTemplateDraft } from "@/lib/domain/templates/draft-schema";
import {
  templateInput,
  templateUpdate,
  type Template,
  type TemplateInput,
  type TemplateUpdate,
  type TemplateVersion,
} from "@/lib/domain/templates/schema";
import { renderDesign } from "@/lib/mail/design/render";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import type { ChosenContact } from "./contact-field";
import { DeleteTemplate } from "./delete-template";
import { DraftStatus } from "./draft-status";
import { SendTest } from "./send-test";
import { sampleFor, starterIn, starterSample } from "./starter";
import { draftOf, withoutMadeHtml, type TemplateDraft as Draft } from "./template-draft";
import { TemplatePreview } from "./template-preview";
import { TemplateVersions } from "./template-versions";
import { readSample, usePreview } from "./use-preview";
import { useTemplateDraft } from "./use-template-draft";

const labels: Record<keyof Draft, () => string> = {
  name: () => t("Name"),
  subject: () => t("Subject"),
  body: () => "HTML",
  design: () => t("Blocks"),
};
const groups = [["body", "design"]] as const;
const blankIn = (language: StarterLanguage): Draft => ({
  ...starterIn(language),
  ...{ body: "", design: null },
});
const begunWith = ({ name, subject, design }: Starter): Draft => ({
  ...{ name, subject, design },
  body: renderDesign(design),
});

/** Writes a template: its source beside what people get. `initial` is null for a new one. */
export function TemplateEditor({
  initial,
  begin = null,
  kept = null,
  domains,
  language = "en",
}: {
  initial: Template | null;
  /** The design that a new one begins with. */
  begin?: Starter | null;
  /** The reader's draft of it. */
  kept?: KeptTemplateDraft | null;
  /** Verified sender domains, for tests. */
  domains: readonly string[];
  /** What a new one is written in. */
  language?: StarterLanguage;
}) {
  const { id: projectId } = useProject();
  const path = useProjectPath();
  const router = useRouter();
  const may = useMay("editor");
  const [saved, setSaved] = useState(initial);
  const [sample, setSample] = useState(() => sampleFor(initial?.body ?? begin?.subject ?? ""));
  const [contact, setContact] = useState<ChosenContact | null>(null);
  const [tab, setTab] = useState(firstTab(initial ?? { design: null, body: "" }));
  const [showVersions, setShowVersions] = useState(false);
  const api = useApi();
  const saves = useSaves<Template, Draft, TemplateUpdate>(
    saved && {
      saved,
      onNewer: setSaved,
      draftOf,
      groups,
      written: (body) => body as Partial<Draft>,
      change: (body) => api("PATCH /v1/templates/{id}", { params: { id: saved.id }, body }),
      read: () => api("GET /v1/templates/{id}", { params: { id: saved.id } }),
    },
  );
  const onSaved = (template: Template) => {
    setSaved(template);
    form.rebase(draftOf(template));
    setShowVersions(false);
    toast.success(t("Saved as version {version}", { version: template.version }));
    if (!saved) router.replace(path(`templates/${template.id}`));
  };
  const form = useForm({
    initial: () => (initial ? draftOf(initial) : begin ? begunWith(begin) : blankIn(language)),
    schema: saved ? templateUpdate : templateInput,
    ...(saved
      ? {
          input: (now: Draft, base: Draft) => withoutMadeHtml(changedPart(base, now)),
          onUnchanged: () => undefined,
        }
      : {}),
    send: (body) =>
      saved ? saves.save(body) : api("POST /v1/templates", { body: body as TemplateInput }),
    onSent: onSaved,
  });
  const restore = useAction({
    mutationFn: (version: TemplateVersion) => saves.save(withoutMadeHtml(draftOf(version))),
    onSuccess: onSaved,
    onError: (error) =>
      toast.error(t("The version could not be restored"), { description: messageOf(error) }),
  });
  const { draft } = form;
  const serverDraft = useTemplateDraft(saved, may ? kept : null, form, saves.conflict !== null);
  const preview = usePreview(draft.subject, draft.body, sample);
  const fault = (name: "subject" | "body") => form.fault(name) ?? fieldFault(preview.error, name);
  return (
    <form aria-label={t("Template")} {...form.props}>
      <PageHeader
        title={saved ? saved.name : t("New template")}
        back={{ href: path("templates"), label: t("Templates") }}
        meta={
          saved && (
            <>
              <span className="text-sm text-soft">
                {rich("Version {version}, {time}", {
                  version: saved.version,
                  time: <RelativeTime value={saved.updatedAt} />,
                })}
              </span>
              <DraftStatus status={form.dirty ? serverDraft.status : "nothing"} />
              <CopyableCode text={saved.id} what={t("template id")} />
            </>
          )
        }
        actions={
          <>
            {saved && (
              <LinkButton href={path(`emails?templateId=${saved.id}`)}>
                <Send aria-hidden /> {t("Emails")}
              </LinkButton>
            )}
            {saved && (
              <Button onClick={() => setShowVersions(true)}>
                <History aria-hidden /> {t("Versions")}
              </Button>
            )}
            <SendTest
              content={draft}
              contact={contact}
              data={readSample(sample)}
              domains={domains}
            />
            {saved && may && <DeleteTemplate template={saved} />}
            {may && <SaveButton form={form} saved={saved !== null} create={t("Create template")} />}
          </>
        }
      />
      <div className="mb-5 empty:hidden">
        <FormFault of={form} />
      </div>
      {saved && <OthersHere of="POST /v1/templates/{id}/presence" id={saved.id} />}
      <Unsettled
        form={form}
        saves={saves}
        server={serverDraft}
        draftOf={draftOf}
        keptAs={initial?.id ?? `new-template.${projectId}${begin ? `.${begin.id}` : ""}`}
        label={(field) => labels[field]()}
        tell={(of, field) => (field === "design" ? designText(of.design) : of[field])}
      />
      <div className="mb-6 grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <Field
          label={t("Name")}
          name="name"
          hint={t("Only you and your team see it.")}
          error={form.fault("name")}
        >
          <Input
            {...form.text("name")}
            readOnly={!may}
            autoFocus={!saved && may}
            autoComplete="off"
            placeholder={t("Welcome")}
          />
        </Field>
        <PersonalField
          label={t("Subject")}
          name="subject"
          error={fault("subject")}
          listMails
          input={{ ...form.text("subject"), readOnly: !may }}
        />
      </div>
      <ContentEditor
        content={draft}
        onChange={(content) => form.set(content)}
        onBegin={({ name, subject }) => {
          form.set({ subject, ...(draft.name === "" ? { name } : {}) });
          if (sample === starterSample) setSample(sampleFor(subject));
        }}
        starterHtml={starterIn(language).body}
        readOnly={!may}
        error={fault("body")}
        beside
        tab={tab}
        onTab={setTab}
        preview={
          <TemplatePreview
            rendered={preview.rendered}
            error={preview.error}
            sample={sample}
            onSample={(data, of) => {
              setSample(data);
              setContact(of);
            }}
          />
        }
      />
      {saved && showVersions && (
        <TemplateVersions
          template={saved}
          unsaved={form.dirty}
          pending={restore.isPending}
          onRestore={(version) => restore.mutate(version)}
          onClose={() => setShowVersions(false)}
        />
      )}
    </form>
  );
}
