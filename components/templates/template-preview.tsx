"use client";

import { fieldFault, messageOf } from "@/components/api/faults";
import { MailFrame } from "@/components/message-viewer/mail-frame";
import { Callout } from "@/components/ui/callout";
import { Field, Textarea } from "@/components/ui/field";
import type { RenderedTemplate } from "@/lib/domain/templates/schema";
import { readSample } from "./use-preview";

/** The mail as the person of the sample data gets it, and that data. */
export function TemplatePreview({
  rendered,
  error,
  sample,
  onSample,
}: {
  rendered: RenderedTemplate | undefined;
  /** Why what is shown is not what is written. */
  error: unknown;
  sample: string;
  onSample: (sample: string) => void;
}) {
  return (
    <div className="flex flex-col gap-4">
      <div className="rounded-md border bg-sheet px-3 py-2 text-sm">
        <span className="eyebrow block">Subject</span>
        <span className="block truncate font-medium" data-testid="preview-subject">
          {rendered?.subject || <span className="text-faint">(no subject)</span>}
        </span>
      </div>
      {error ? (
        <Callout kind="warning" title="The preview shows the last version that worked">
          {fieldFault(error, "subject") ?? fieldFault(error, "body") ?? messageOf(error)}
        </Callout>
      ) : null}
      <MailFrame html={rendered?.html ?? ""} title="Preview" />
      <Field
        label="Sample data"
        name="sample"
        hint="JSON that fills in the placeholders in this preview. It is not saved."
        error={readSample(sample) ? null : "This is not a JSON object."}
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
