"use client";

import { History } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { changedPart } from "@/components/form/changed";
import { Unsettled } from "@/components/form/unsaved-changes";
import { useAction } from "@/components/form/use-action";
import { useForm } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import {
  templateInput,
  templateUpdate,
  type Template,
  type TemplateInput,
  type TemplateUpdate,
  type TemplateVersion,
} from "@/lib/domain/templates/schema";
import { DeleteTemplate } from "./delete-template";
import { SourceEditor } from "./source-editor";
import { starter, starterSample } from "./starter";
import { TemplatePreview } from "./template-preview";
import { TemplateVersions } from "./template-versions";
import { usePreview } from "./use-preview";

const labels = { name: "Name", subject: "Subject", body: "HTML" } as const;
const contentOf = ({ name, subject, body }: TemplateInput): TemplateInput => ({
  name,
  subject,
  body,
});

/** Writes a template: its source beside what people get. `initial` is null for a new one. */
export function TemplateEditor({ initial }: { initial: Template | null }) {
  const { id: projectId } = useProject();
  const path = useProjectPath();
  const router = useRouter();
  const may = useMay("editor");
  const [saved, setSaved] = useState(initial);
  const [sample, setSample] = useState(starterSample);
  const [showVersions, setShowVersions] = useState(false);
  const api = useApi();
  const saves = useSaves<Template, TemplateInput, TemplateUpdate>(
    saved && {
      saved,
      onNewer: setSaved,
      draftOf: contentOf,
      change: (body) => api("PATCH /v1/templates/{id}", { params: { id: saved.id }, body }),
      read: () => api("GET /v1/templates/{id}", { params: { id: saved.id } }),
    },
  );
  const onSaved = (template: Template) => {
    setSaved(template);
    form.rebase(contentOf(template));
    setShowVersions(false);
    toast.success(`Saved as version ${template.version}`);
    if (!saved) router.replace(path(`templates/${template.id}`));
  };
  const form = useForm({
    initial: () => contentOf(initial ?? starter),
    schema: saved ? templateUpdate : templateInput,
    ...(saved
      ? {
          input: (now: TemplateInput, base) => changedPart(base, now),
          onUnchanged: () => undefined,
        }
      : {}),
    send: (body) =>
      saved ? saves.save(body) : api("POST /v1/templates", { body: body as TemplateInput }),
    onSent: onSaved,
  });
  const restore = useAction({
    mutationFn: (version: TemplateVersion) => saves.save(contentOf(version)),
    onSuccess: onSaved,
    onError: (error) =>
      toast.error("The version could not be restored", { description: messageOf(error) }),
  });
  const { draft } = form;
  const preview = usePreview(draft.subject, draft.body, sample);
  const fault = (name: "subject" | "body") => form.fault(name) ?? fieldFault(preview.error, name);
  return (
    <form aria-label="Template" {...form.props}>
      <PageHeader
        title={saved ? saved.name : "New template"}
        back={{ href: path("templates"), label: "Templates" }}
        meta={
          saved && (
            <>
              <span className="text-sm text-soft">
                Version {saved.version}, <RelativeTime value={saved.updatedAt} />
              </span>
              <CopyableCode text={saved.id} what="template id" />
            </>
          )
        }
        actions={
          <>
            {saved && (
              <Button onClick={() => setShowVersions(true)}>
                <History aria-hidden /> Versions
              </Button>
            )}
            {saved && may && <DeleteTemplate template={saved} />}
            {may && (
              <Button
                type="submit"
                variant="primary"
                pending={form.pending}
                disabled={saved !== null && !form.dirty}
                title="Ctrl or ⌘ and Enter"
              >
                {saved ? "Save" : "Create template"}
              </Button>
            )}
          </>
        }
      />
      {form.whole && (
        <div className="mb-5">
          <Callout kind="danger" alert>
            {form.whole}
          </Callout>
        </div>
      )}
      <Unsettled
        form={form}
        saves={saves}
        draftOf={contentOf}
        keptAs={initial?.id ?? `new-template.${projectId}`}
        label={(field) => labels[field]}
        tell={(of, field) => of[field]}
      />
      <div className="grid gap-x-8 gap-y-8 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Field
            label="Name"
            name="name"
            hint="Only you and your team see it."
            error={form.fault("name")}
          >
            <Input
              {...form.text("name")}
              readOnly={!may}
              autoFocus={!saved && may}
              autoComplete="off"
              placeholder="Welcome"
            />
          </Field>
          <Field label="Subject" name="subject" error={fault("subject")}>
            <Input {...form.text("subject")} readOnly={!may} autoComplete="off" />
          </Field>
          <SourceEditor
            value={draft.body}
            disabled={!may}
            error={fault("body")}
            onChange={(body) => form.set({ body })}
          />
        </div>
        <div className="min-w-0">
          <TemplatePreview
            rendered={preview.rendered}
            error={preview.error}
            sample={sample}
            onSample={setSample}
          />
        </div>
      </div>
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
