"use client";

import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { MailFrame } from "@/components/message-viewer/mail-frame";
import { Callout } from "@/components/ui/callout";
import { Field, Textarea } from "@/components/ui/field";
import { formatBytes } from "@/components/ui/numbers";
import { toast } from "@/components/ui/toast";
import type { Contact } from "@/lib/domain/contacts/schema";
import type { RenderedTemplate } from "@/lib/domain/templates/schema";
import { t } from "@/lib/ground/texts/t";
import { ContactField, type ChosenContact } from "./contact-field";
import { readSample } from "./use-preview";

/** Gmail shows no more of a mail; the rest is behind a link. */
const gmailBytes = 102 * 1024;

/** What a template can read of a person, as sample data. */
const sampleOf = ({ email, firstName, lastName, tags, data }: Contact) =>
  JSON.stringify({ ...data, firstName, lastName, email, tags }, null, 2);

/** Fills the sample with what is known about a contact. */
function ContactSample({
  onSample,
}: {
  onSample: (sample: string, contact: ChosenContact) => void;
}) {
  const api = useApi();
  const [typed, setTyped] = useState("");
  const choose = async (contact: ChosenContact) => {
    try {
      const known = await api("GET /v1/contacts/{id}", { params: { id: contact.id } });
      onSample(sampleOf(known), contact);
    } catch (error) {
      toast.error(t("The contact could not be read"), { description: messageOf(error) });
    }
  };
  return (
    <ContactField
      label={t("As this contact sees it")}
      hint={t("Part of a name or an address.")}
      typed={typed}
      onType={setTyped}
      onChoose={(contact) => void choose(contact)}
    />
  );
}

/** The mail as the person in the sample data gets it, and that data. */
export function TemplatePreview({
  rendered,
  error,
  sample,
  onSample,
}: {
  rendered: RenderedTemplate | undefined;
  /** Why the preview differs from what is written. */
  error: unknown;
  sample: string;
  /** `contact`: whose data it is; null: it was written by hand. */
  onSample: (sample: string, contact: ChosenContact | null) => void;
}) {
  const bytes = new TextEncoder().encode(rendered?.html ?? "").length;
  return (
    <div className="flex flex-col gap-4">
      <div className="rounded-md border bg-sheet px-3 py-2 text-sm">
        <span className="eyebrow block">{t("Subject")}</span>
        <span className="block truncate font-medium" data-testid="preview-subject">
          {rendered?.subject || <span className="text-faint">{t("(no subject)")}</span>}
        </span>
      </div>
      {error ? (
        <Callout kind="warning" title={t("The preview shows the last version that worked")}>
          {fieldFault(error, "subject") ?? fieldFault(error, "body") ?? messageOf(error)}
        </Callout>
      ) : null}
      <MailFrame html={rendered?.html ?? ""} text={rendered?.text ?? ""} title={t("Preview")} />
      {bytes > gmailBytes && (
        <Callout
          kind="warning"
          title={t("Gmail cuts this email: it has {size}", { size: formatBytes(bytes) })}
        >
          {t("Gmail shows the first {size} and hides the rest behind a link.", {
            size: formatBytes(gmailBytes),
          })}
        </Callout>
      )}
      <ContactSample onSample={onSample} />
      <Field
        label={t("Sample data")}
        name="sample"
        hint={t("JSON that fills in the placeholders in this preview. It is not saved.")}
        error={readSample(sample) ? null : t("This is not a JSON object.")}
      >
        <Textarea
          value={sample}
          rows={5}
          spellCheck={false}
          onChange={({ target }) => onSample(target.value, null)}
          className="font-mono text-xs!"
        />
      </Field>
    </div>
  );
}
