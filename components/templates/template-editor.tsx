"use client";

import { History } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { changedPart } from "@/components/form/changed";
import { Conflict } from "@/components/form/conflict";
import { KeptWritingOffer } from "@/components/form/kept-writing-offer";
import { useAction } from "@/components/form/use-action";
import { useForm } from "@/components/form/use-form";
import { useKeptWriting } from "@/components/form/use-kept-writing";
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
  type TemplateVersion,
} from "@/lib/domain/templates/schema";
import { DeleteTemplate } from "./delete-template";
import { SourceEditor } from "./source-editor";
import { starter, starterSample } from "./starter";
import { TemplatePreview } from "./template-preview";
import { TemplateVersions } from "./template-versions";
import { usePreview } from "./use-preview";
import { useTemplateSaves } from "./use-template-saves";

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
  const { conflict, save, decide, compare } = useTemplateSaves(saved, setSaved);
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
    send: save,
    onSent: onSaved,
  });
  const restore = useAction({
    mutationFn: (version: TemplateVersion) => save(contentOf(version)),
    onSuccess: onSaved,
    onError: (error) =>
      toast.error("The version could not be restored", { description: messageOf(error) }),
  });
  const { kept, settle } = useKeptWriting(
    initial?.id ?? `new-template.${projectId}`,
    form.base,
    form.draft,
  );
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
      {kept && (
        <KeptWritingOffer
          at={kept.at}
          onRestore={() => {
            compare({ ...form.base, ...kept.base }, { ...form.base, ...kept.base, ...kept.mine });
            form.set(kept.mine);
            settle();
          }}
          onDiscard={settle}
        />
      )}
      {conflict && (
        <Conflict
          differences={conflict.fields.map((field) => ({
            label: labels[field],
            mine: draft[field],
            theirs: conflict.theirs[field],
          }))}
          onKeepMine={() => {
            form.receive(contentOf(conflict.theirs));
            decide();
          }}
          onTakeTheirs={() => {
            form.receive(contentOf(conflict.theirs));
            form.set(Object.fromEntries(conflict.fields.map((at) => [at, conflict.theirs[at]])));
            decide();
          }}
        />
      )}
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
