"use client";

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { fieldFault } from "@/components/api/faults";
import {
  ContentEditor,
  firstTab,
  type EmailContent,
} from "@/components/mail-editor/content-editor";
import { useStarterLanguage } from "@/components/mail-editor/use-brand";
import { PersonalField } from "@/components/source-editor/personal-field";
import type { Place } from "@/components/source-editor/place";
import { starterSample } from "@/components/templates/starter";
import { TemplatePreview } from "@/components/templates/template-preview";
import { usePreview } from "@/components/templates/use-preview";
import { Button, IconButton } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import { t } from "@/lib/ground/texts/t";
import { jumpIn, type Jump } from "./jump";
import { campaignStarterIn } from "./starter";
import { variantName, type VariantDraft } from "./variants";
import { VariantMark } from "./variant-mark";

const begun = ({ body, design }: EmailContent): EmailContent => ({
  body,
  // The canvas remembers by the object what can be undone.
  design: structuredClone(design),
});

/** One of the others: its subject, and what else differs. */
export function VariantFields({
  index,
  variant,
  change,
  fault,
  jump,
  content,
  remove,
}: {
  index: number;
  variant: VariantDraft;
  change: (part: Partial<VariantDraft>) => void;
  fault: (name: keyof VariantDraft) => string | null;
  jump: Jump | null;
  /** What the variant's own begins with. */
  content: EmailContent;
  /** null: there must be two. */
  remove: (() => void) | null;
}) {
  const name = variantName(index);
  const path = (field: string) => `abTest.variants[${index}].${field}`;
  const [open, setOpen] = useState(
    Boolean(variant.previewText || variant.fromName || variant.body),
  );
  // Content that was emptied is still being written: the editor holds the way back to it.
  const [isWritten, setWritten] = useState(false);
  const hasOwn = isWritten || variant.body !== "";
  return (
    <div
      role="group"
      aria-label={t("Variant {name}", { name })}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-4"
    >
      <VariantMark variant={name} className="mt-8" />
      <div className="flex items-end gap-2">
        <PersonalField
          label={t("Subject {name}", { name })}
          name={path("subject")}
          error={fault("subject")}
          className="grow"
          input={{
            value: variant.subject,
            onChange: ({ target }) => change({ subject: target.value }),
          }}
        />
        {remove && (
          <IconButton label={t("Remove variant {name}", { name })} onClick={remove}>
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="col-start-2 flex flex-col gap-4">
        {open ? (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <PersonalField
                label={t("Preview text {name}", { name })}
                name={path("previewText")}
                optional
                error={fault("previewText")}
                input={{
                  value: variant.previewText,
                  maxLength: 500,
                  placeholder: t("As above"),
                  onChange: ({ target }) => change({ previewText: target.value }),
                }}
              />
              <Field label={t("Sender name {name}", { name })} optional error={fault("fromName")}>
                <Input
                  value={variant.fromName}
                  autoComplete="off"
                  maxLength={200}
                  placeholder={t("As above")}
                  onChange={({ target }) => change({ fromName: target.value })}
                />
              </Field>
            </div>
            <Switch
              label={t("Other content for {name}", { name })}
              hint={
                hasOwn && variant.body === ""
                  ? t("While it is empty, people get the content of the campaign.")
                  : t("Otherwise it is the content of the campaign.")
              }
              checked={hasOwn}
              onChange={(other) => {
                setWritten(other);
                change(other ? begun(content) : { body: "", design: null });
              }}
            />
            {hasOwn && (
              <VariantContent
                label={t("Email of variant {name}", { name })}
                variant={variant}
                onChange={(own) => {
                  setWritten(true);
                  change(own);
                }}
                error={fault("body") ?? fault("design")}
                goTo={jumpIn(jump, path("body"))}
              />
            )}
          </>
        ) : (
          <div className="-mt-2">
            <Button size="sm" variant="ghost" className="-ml-2.5" onClick={() => setOpen(true)}>
              <Plus aria-hidden /> {t("Other preview text, sender name or content")}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** The variant's own content, in the editor that the campaign's has. */
function VariantContent({
  label,
  variant,
  onChange,
  error,
  goTo,
}: {
  label: string;
  variant: VariantDraft;
  onChange: (content: EmailContent) => void;
  error: string | null;
  goTo: Place | null;
}) {
  const language = useStarterLanguage();
  const [sample, setSample] = useState(starterSample);
  const [tab, setTab] = useState(() => firstTab(variant));
  const [gone, setGone] = useState(goTo);
  if (goTo !== gone) {
    setGone(goTo);
    // The place is one of the HTML.
    if (goTo) setTab("source");
  }
  const preview = usePreview(variant.subject, variant.body, sample);
  return (
    <ContentEditor
      label={label}
      content={variant}
      onChange={onChange}
      starterHtml={campaignStarterIn(language)}
      forCampaigns
      readOnly={false}
      error={error ?? fieldFault(preview.error, "body")}
      goTo={goTo}
      preview={
        <TemplatePreview
          rendered={preview.rendered}
          error={preview.error}
          sample={sample}
          onSample={setSample}
        />
      }
      tab={tab}
      onTab={setTab}
    />
  );
}
