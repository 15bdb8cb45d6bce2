"use client";

import { messageOf } from "@/components/api/faults";
import { useRead } from "@/components/api/use-read";
import { useFilters } from "@/components/list-page/use-filters";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyableCode, CopyTextButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/description-list";
import { count } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Select } from "@/components/ui/select";
import type { Form, FormMarkup } from "@/lib/domain/forms/schema";
import { useForm } from "./form-header";

interface Language {
  code: string;
  name: string;
}

/** The form's link, and the form as HTML to paste. */
export function FormShare({
  form: initial,
  snippet,
  languages,
  language,
}: {
  form: Form;
  snippet: FormMarkup;
  languages: readonly Language[];
  /** The snippet's language, when the form has none of its own. */
  language: string;
}) {
  const form = useForm(initial).data;
  const { set, pending } = useFilters();
  const reading = useRead(
    "GET /v1/forms/{id}/snippet",
    { params: { id: form.id }, query: { language } },
    { initial: snippet, version: form.updatedAt },
  );
  const { html, bytes } = reading.data;
  const origin = new URL(form.url).origin;
  return (
    <div>
      {!form.open && (
        <Callout kind="warning" title="This form is closed">
          Link and snippet work once it is open again; until then visitors read that it takes no
          sign-ups.
        </Callout>
      )}
      <Section
        title="Link"
        description="The form’s own page. It works in every browser, without scripts and on a phone."
        actions={<CopyTextButton text={form.url} label="Copy link" />}
      >
        <CopyableCode text={form.url} what="form link" />
      </Section>
      <Section
        title="Snippet"
        description="The form as HTML. Paste it where the form should appear; it uses your page’s font."
        actions={
          <>
            {form.language === null && (
              <Select
                label="Language of the snippet"
                options={languages.map(({ code, name }) => ({ value: code, label: name }))}
                value={language}
                disabled={pending}
                onChange={(chosen) => set({ language: chosen })}
                className="w-40!"
              />
            )}
            <CopyTextButton text={html} label="Copy snippet" variant="primary" />
          </>
        }
      >
        {reading.isError && (
          <Callout kind="danger" alert title="The snippet could not be read">
            {messageOf(reading.error)}
          </Callout>
        )}
        <CodeBlock code={html} label="snippet" wrap />
      </Section>
      <Section title="What the snippet needs">
        <Facts
          items={[
            {
              label: "Size",
              value: `${count(bytes)} bytes, with its style. It loads no script and sets no cookie.`,
            },
            {
              label: "After sending",
              value:
                "Visitors land on a page here and press the button once more. That keeps bots out, which your page cannot do.",
            },
            {
              label: "Changes",
              value:
                "A pasted copy keeps its questions, texts and look: copy it again after changing them. The landing page, the list and the email change at once.",
            },
            {
              label: "Content security policy",
              value: (
                <>
                  If your page has one: <code className="font-mono text-xs">form-action</code> and{" "}
                  <code className="font-mono text-xs">img-src</code> with{" "}
                  <code className="font-mono text-xs">{origin}</code>,{" "}
                  <code className="font-mono text-xs">style-src</code> with{" "}
                  <code className="font-mono text-xs">&apos;unsafe-inline&apos;</code>. Without the
                  image the form works, but views are not counted.
                </>
              ),
            },
            {
              label: "Your editor",
              value:
                "A block for HTML or code. Some editors remove style elements; the form then takes your page’s styles.",
            },
          ]}
        />
      </Section>
    </div>
  );
}
