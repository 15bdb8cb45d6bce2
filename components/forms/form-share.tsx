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
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
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
        <Callout kind="warning" title={t("This form is closed")}>
          {t(
            "Link and snippet work once it is open again; until then visitors read that it takes no sign-ups.",
          )}
        </Callout>
      )}
      <Section
        title={t("Link")}
        description={t(
          "The form’s own page. It works in every browser, without scripts and on a phone.",
        )}
        actions={<CopyTextButton text={form.url} label={t("Copy link")} />}
      >
        <CopyableCode text={form.url} what={t("form link")} />
      </Section>
      <Section
        title={t("Snippet")}
        description={t(
          "The form as HTML. Paste it where the form should appear; it uses your page’s font.",
        )}
        actions={
          <>
            {form.language === null && (
              <Select
                label={t("Language of the snippet")}
                options={languages.map(({ code, name }) => ({ value: code, label: name }))}
                value={language}
                disabled={pending}
                onChange={(chosen) => set({ language: chosen })}
                className="w-40!"
              />
            )}
            <CopyTextButton text={html} label={t("Copy snippet")} variant="primary" />
          </>
        }
      >
        {reading.isError && (
          <Callout kind="danger" alert title={t("The snippet could not be read")}>
            {messageOf(reading.error)}
          </Callout>
        )}
        <CodeBlock code={html} label={t("snippet")} wrap />
      </Section>
      <Section title={t("What the snippet needs")}>
        <Facts
          items={[
            {
              label: t("Size"),
              value: t("{bytes} bytes, with its style. It loads no script and sets no cookie.", {
                bytes: count(bytes),
              }),
            },
            {
              label: t("After sending"),
              value: t(
                "Visitors land on a page here and press the button once more. That keeps bots out, which your page cannot do.",
              ),
            },
            {
              label: t("Changes"),
              value: t(
                "A pasted copy keeps its questions, texts and look: copy it again after changing them. The landing page, the list and the email change at once.",
              ),
            },
            {
              label: t("Content security policy"),
              value: rich(
                "If your page has one: <code>form-action</code> and <code>img-src</code> with <code>{origin}</code>, <code>style-src</code> with <code>’unsafe-inline’</code>. Without the image the form works, but views are not counted.",
                {
                  origin,
                  code: (words) => <code className="font-mono text-xs">{words}</code>,
                },
              ),
            },
            {
              label: t("Your editor"),
              value: t(
                "A block for HTML or code. Some editors remove style elements; the form then takes your page’s styles.",
              ),
            },
          ]}
        />
      </Section>
    </div>
  );
}
