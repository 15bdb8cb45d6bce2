"use client";

import Link from "next/link";
import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { useProjectPath } from "@/components/api/project-context";
import { SourceEditor } from "@/components/templates/source-editor";
import { starterSample } from "@/components/templates/starter";
import { TemplatePreview } from "@/components/templates/template-preview";
import { usePreview } from "@/components/templates/use-preview";
import { Button } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Tabs } from "@/components/ui/tabs";
import { link } from "./composer-parts";
import type { StepProps } from "./composer-steps";
import type { Draft } from "./draft";
import { jumpIn } from "./jump";
import { campaignStarter } from "./starter";

/** The HTML of the template that goes out; undefined while it is loading. */
function useTemplateBody(templateId: string | null): string | undefined {
  const { data } = useRead(
    "GET /v1/templates/{id}",
    { params: { id: templateId ?? "" } },
    { enabled: Boolean(templateId) },
  );
  return templateId ? data?.body : undefined;
}

/** What goes out, and how it looks to the person of the sample data. */
export function useContent(draft: Draft) {
  const [sample, setSample] = useState(starterSample);
  const [tab, setTab] = useState("source");
  const templateBody = useTemplateBody(draft.content === "template" ? draft.templateId : null);
  const html = draft.content === "template" ? (templateBody ?? "") : draft.body;
  const preview = usePreview(draft.subject, html, sample);
  return { isLoaded: templateBody !== undefined, preview, sample, setSample, tab, setTab };
}

/** Written here or taken from a template, with what people will see. */
export function ContentStep({
  draft,
  set,
  fault,
  options,
  jump,
  content: { isLoaded, preview, sample, setSample, tab, setTab },
}: StepProps & { content: ReturnType<typeof useContent> }) {
  const path = useProjectPath();
  const shown = (
    <TemplatePreview
      rendered={preview.rendered}
      error={preview.error}
      sample={sample}
      onSample={setSample}
    />
  );
  return (
    <>
      <ChoiceCards
        label="Where does it come from?"
        options={[
          { value: "html", label: "Written here", hint: "HTML with placeholders." },
          {
            value: "template",
            label: "A template",
            hint: "As it is when sending starts.",
          },
        ]}
        value={draft.content}
        onChange={(content) => set({ content })}
      />
      {draft.content === "template" ? (
        <>
          <Field
            label="Template"
            error={fault("templateId")}
            hint={
              draft.templateId ? (
                <Link className={link} href={path(`templates/${draft.templateId}`)}>
                  Open it in the editor
                </Link>
              ) : (
                "Its subject is not used; write one above."
              )
            }
          >
            <Select
              options={[
                { value: "", label: "Choose a template" },
                ...options.templates.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={draft.templateId}
              onChange={(templateId) => set({ templateId })}
            />
          </Field>
          {isLoaded && shown}
        </>
      ) : draft.body === "" ? (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-dashed border-rule-strong px-4 py-5">
          <p className="text-sm text-soft">
            Start from a plain letter that looks right in every mail program.
          </p>
          <Button onClick={() => set({ body: campaignStarter })}>Start with a letter</Button>
        </div>
      ) : null}
      {draft.content === "html" && (
        <Tabs
          label="Content"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: "source",
              label: "HTML",
              content: (
                <SourceEditor
                  value={draft.body}
                  disabled={false}
                  error={fault("body")}
                  goTo={jumpIn(jump, "body")}
                  onChange={(body) => set({ body })}
                />
              ),
            },
            { value: "preview", label: "Preview", content: shown },
          ]}
        />
      )}
    </>
  );
}
