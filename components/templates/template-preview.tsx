"use client";

import { useState } from "react";
import { fieldFault, messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { MailFrame } from "@/components/message-viewer/mail-frame";
import { Callout } from "@/components/ui/callout";
import { Field, Textarea } from "@/components/ui/field";
import { formatBytes } from "@/components/ui/numbers";
import { SuggestInput } from "@/components/ui/suggest-input";
import { toast } from "@/components/ui/toast";
import type { Contact } from "@/lib/domain/contacts/schema";
import type { RenderedTemplate } from "@/lib/domain/templates/schema";
import { t } from "@/lib/ground/texts/t";
import { readSample } from "./use-preview";

/** Gmail shows no more of a mail; the rest is behind a link. */
const gmailBytes = 102 * 1024;

/** What a template can read of a person, as sample data. */
const sampleOf = ({ email, firstName, lastName, tags, data }: Contact) =>
  JSON.stringify({ ...data, firstName, lastName, email, tags }, null, 2);

/** Fills the sample with what is known about a contact. */
function ContactSample({ onSample }: { onSample: (sample: string) => void }) {
  const api = useApi();
  const [typed, setTyped] = useState("");
  const search = useSettled(typed.trim());
  const { data } = useRead("GET /v1/contacts", { query: { search, limit: 8 } });
  const contacts = data?.data ?? [];
  const choose = async (email: string) => {
    setTyped(email);
    const chosen = contacts.find((contact) => contact.email === email);
    if (!chosen) return;
    try {
      onSample(sampleOf(await api("GET /v1/contacts/{id}", { params: { id: chosen.id } })));
    } catch (error) {
      toast.error(t("The contact could not be read"), { description: messageOf(error) });
    }
  };
  return (
    <Field label={t("As this contact sees it")} hint={t("Part of a name or an address.")}>
      <SuggestInput
        value={typed}
        placeholder="ada@example.com"
        suggestions={contacts.map(({ email }) => email)}
        onChange={setTyped}
        onChoose={(email) => void choose(email)}
      />
    </Field>
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
  onSample: (sample: string) => void;
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
          onChange={({ target }) => onSample(target.value)}
          className="font-mono text-xs!"
        />
      </Field>
    </div>
  );
}
