"use client";

import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import {
  ContentEditor,
  firstTab,
  type EmailContent,
} from "@/components/mail-editor/content-editor";
import { useStarterLanguage } from "@/components/mail-editor/use-brand";
import { starterSample } from "@/components/templates/starter";
import { TemplatePreview } from "@/components/templates/template-preview";
import { usePreview } from "@/components/templates/use-preview";
import { NamedSelect } from "@/components/named/named-select";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field } from "@/components/ui/field";
import { Link, textLink } from "@/components/ui/link";
import { t } from "@/lib/ground/texts/t";
import type { StepProps } from "./composer-steps";
import type { Draft } from "./draft";
import { jumpIn } from "./jump";
import { campaignStarterIn } from "./starter";
import { useTemplate } from "./use-template";

/** What goes out, and how it looks to the person in the sample data. */
export function useContent(draft: Draft) {
  const [sample, setSample] = useState(starterSample);
  const [tab, setTab] = useState(() => firstTab(draft));
  const template = useTemplate(draft.content === "template" ? draft.templateId : null);
  const shown: EmailContent =
    draft.content === "template" ? (template ?? { body: "", design: null }) : draft;
  const preview = usePreview(draft.subject, shown.body, sample);
  return { shown, isLoaded: template !== undefined, preview, sample, setSample, tab, setTab };
}

/** The content, written here or taken from a template, with what people will see. */
export function ContentStep({
  draft,
  set,
  fault,
  options,
  jump,
  content: { isLoaded, preview, sample, setSample, tab, setTab },
}: StepProps & { content: ReturnType<typeof useContent> }) {
  const path = useProjectPath();
  const language = useStarterLanguage();
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
        label={t("Where does it come from?")}
        options={[
          { value: "html", label: t("Written here"), hint: t("Visually, or as HTML.") },
          {
            value: "template",
            label: t("A template"),
            hint: t("As it is when sending starts."),
          },
        ]}
        value={draft.content}
        onChange={(content) => set({ content })}
      />
      {draft.content === "template" ? (
        <>
          <Field
            label={t("Template")}
            error={fault("templateId")}
            hint={
              draft.templateId ? (
                <Link className={textLink} href={path(`templates/${draft.templateId}`)}>
                  {t("Open it in the editor")}
                </Link>
              ) : (
                t("Its subject is not used; write one above.")
              )
            }
          >
            <NamedSelect
              of="template"
              none={t("Choose a template")}
              known={options.templates}
              value={draft.templateId}
              onChange={(templateId) => set({ templateId })}
            />
          </Field>
          {isLoaded && shown}
        </>
      ) : (
        <ContentEditor
          content={draft}
          onChange={(content) => set(content)}
          onBegin={({ subject }) => {
            if (draft.subject === "") set({ subject });
          }}
          starterHtml={campaignStarterIn(language)}
          forCampaigns
          readOnly={false}
          error={fault("body")}
          goTo={jumpIn(jump, "body")}
          preview={shown}
          tab={tab}
          onTab={setTab}
        />
      )}
    </>
  );
}
