"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, type FormEvent } from "react";
import { fieldFault, formFault, schemaFaults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useUnsaved } from "@/components/form/use-unsaved";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { submitByKeys } from "@/components/ui/submit-by-keys";
import { toast } from "@/components/ui/toast";
import { templateInput, type Template, type TemplateInput } from "@/lib/domain/templates/schema";
import { DeleteTemplate } from "./delete-template";
import { SourceEditor } from "./source-editor";
import { starter, starterSample } from "./starter";
import { TemplatePreview } from "./template-preview";
import { TemplateVersions } from "./template-versions";
import { usePreview } from "./use-preview";

const fields = ["name", "subject", "body"] as const;
const contentOf = ({ name, subject, body }: TemplateInput): TemplateInput => ({
  name,
  subject,
  body,
});

/** Writes a template: its source beside what people get. `initial` is null for a new one. */
export function TemplateEditor({ initial }: { initial: Template | null }) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const may = useMay("editor");
  const form = useId();
  const [saved, setSaved] = useState(initial);
  const [draft, setDraft] = useState<TemplateInput>(contentOf(initial ?? starter));
  const [sample, setSample] = useState(starterSample);
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({});
  const [showVersions, setShowVersions] = useState(false);
  const dirty = fields.some((name) => draft[name] !== (saved ?? starter)[name]);
  const preview = usePreview(draft.subject, draft.body, sample);
  const save = useMutation({
    mutationFn: (body: TemplateInput) =>
      saved
        ? api("PUT /v1/templates/{id}", { params: { id: saved.id }, body })
        : api("POST /v1/templates", { body }),
    onSuccess: async (kept) => {
      setSaved(kept);
      setDraft(contentOf(kept));
      setShowVersions(false);
      toast.success(`Saved as version ${kept.version}`);
      if (!saved) router.replace(path(`templates/${kept.id}`));
      await queries.invalidateQueries({ queryKey: ["templates", projectId, "list"] });
    },
  });
  useUnsaved(may && dirty && !save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!may || save.isPending) return;
    const checked = templateInput.safeParse(draft);
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) save.mutate(checked.data);
  };
  const set = (part: Partial<TemplateInput>) => {
    setDraft({ ...draft, ...part });
    setFaults({});
    if (save.isError) save.reset();
  };
  const fault = (name: (typeof fields)[number]) =>
    faults[name] ??
    fieldFault(save.error, name) ??
    (name === "name" ? null : fieldFault(preview.error, name));
  const whole = formFault(save.error, fields);
  return (
    <form id={form} aria-label="Template" onSubmit={submit} onKeyDown={submitByKeys} noValidate>
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
                pending={save.isPending}
                disabled={saved !== null && !dirty}
                title="Ctrl or ⌘ and Enter"
              >
                {saved ? "Save" : "Create template"}
              </Button>
            )}
          </>
        }
      />
      {whole && (
        <div className="mb-5">
          <Callout kind="danger" alert>
            {whole}
          </Callout>
        </div>
      )}
      <div className="grid gap-x-8 gap-y-8 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Field
            label="Name"
            name="name"
            hint="For you; nobody else sees it."
            error={fault("name")}
          >
            <Input
              value={draft.name}
              readOnly={!may}
              autoFocus={!saved && may}
              autoComplete="off"
              placeholder="Welcome"
              onChange={({ target }) => set({ name: target.value })}
            />
          </Field>
          <Field label="Subject" name="subject" error={fault("subject")}>
            <Input
              value={draft.subject}
              readOnly={!may}
              autoComplete="off"
              onChange={({ target }) => set({ subject: target.value })}
            />
          </Field>
          <SourceEditor
            value={draft.body}
            disabled={!may}
            error={fault("body")}
            onChange={(body) => set({ body })}
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
          unsaved={dirty}
          pending={save.isPending}
          onRestore={(version) => save.mutate(contentOf(version))}
          onClose={() => setShowVersions(false)}
        />
      )}
    </form>
  );
}
