"use client";

import { useCallback, useMemo, useState } from "react";
import { useApi } from "@/components/api/use-api";
import { PagePreview } from "@/components/message-viewer/page-preview";
import { usePagePreview } from "@/components/message-viewer/use-page-preview";
import { Select } from "@/components/ui/select";
import { isKnownWrong } from "@/components/form/lazy-schema";
import type { FormInput, PreviewQuery } from "@/lib/domain/forms/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { inputOf, type FormDraft } from "./draft";
import { formInput } from "./schemas";

type View = PreviewQuery["view"];

const viewNames: readonly { value: View; label: string }[] = phrases([
  { value: "page", label: "The form’s page" },
  { value: "sent", label: "After sending" },
  { value: "mail", label: "The email that asks to confirm" },
  { value: "snippet", label: "The snippet on your page" },
]);

function previewedOf(draft: FormDraft): FormInput | null {
  const input = inputOf({ ...draft, name: "Preview" }) as FormInput;
  return isKnownWrong(formInput, input) ? null : input;
}

/** The form as its visitors will see it, while it is written. */
export function FormPreview({
  draft,
  languages,
}: {
  draft: FormDraft;
  languages: readonly { code: string; name: string }[];
}) {
  const api = useApi();
  const [view, setView] = useState<View>("page");
  const [language, setLanguage] = useState("");
  const [dark, setDark] = useState(false);
  const { theme } = draft.look;
  // A snippet is part of the owner's page; only the form's look says whether that is dark.
  const seenDark =
    view === "mail"
      ? dark
      : view === "snippet"
        ? theme === "dark"
        : theme === "auto"
          ? dark
          : theme === "dark";
  const query = useMemo(() => {
    const asked = draft.language || language;
    return { view, theme: dark ? "dark" : "light", ...(asked && { language: asked }) } as const;
  }, [view, draft.language, language, dark]);
  const read = useCallback(
    (body: FormInput, signal: AbortSignal) =>
      api("POST /v1/forms/preview", { query, body }, { signal }),
    [api, query],
  );
  const preview = usePagePreview(draft, previewedOf, read);
  const follows = view === "mail" || (view !== "snippet" && theme === "auto");
  return (
    <PagePreview
      {...preview}
      title={t("Preview of the form")}
      dark={seenDark}
      onDark={follows ? setDark : null}
    >
      <Select
        label={t("Preview of")}
        options={viewNames}
        value={view}
        onChange={setView}
        className="w-64!"
      />
      {draft.language === "" && (
        <Select
          label={t("Language of the preview")}
          options={[
            { value: "", label: t("Project’s language") },
            ...languages.map(({ code, name }) => ({ value: code, label: name })),
          ]}
          value={language}
          onChange={setLanguage}
          className="w-44!"
        />
      )}
    </PagePreview>
  );
}
