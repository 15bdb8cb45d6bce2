"use client";

import { Monitor, Moon, Smartphone } from "lucide-react";
import { SandboxedFrame } from "@/components/message-viewer/sandboxed-frame";
import { ToggleButton } from "@/components/ui/toggle-button";
import clsx from "clsx";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useSettled } from "@/components/api/use-settled";
import { frameDocument, pageNonce } from "@/components/message-viewer/frame-document";
import { Callout } from "@/components/ui/callout";
import { Select } from "@/components/ui/select";
import { formInput, type PreviewQuery } from "@/lib/domain/forms/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { inputOf, type FormDraft } from "./draft";

type View = PreviewQuery["view"];

const viewNames: readonly { value: View; label: string }[] = phrases([
  { value: "page", label: "The form’s page" },
  { value: "sent", label: "After sending" },
  { value: "mail", label: "The email that asks to confirm" },
  { value: "snippet", label: "The snippet on your page" },
]);

const never = () => () => undefined;

/** What the server makes of the draft when typing pauses; while it has faults, the last good version. */
function usePreview(draft: FormDraft, query: PreviewQuery) {
  const api = useApi();
  const [preview, setPreview] = useState<{ html: string; error: unknown }>({
    html: "",
    error: null,
  });
  const settled = useSettled(draft);
  const { view, language, theme } = query;
  useEffect(() => {
    const stop = new AbortController();
    const checked = formInput.safeParse(inputOf({ ...settled, name: "Preview" }));
    if (!checked.success) return;
    const input = {
      query: { view, ...(language ? { language } : {}), ...(theme ? { theme } : {}) },
      body: checked.data,
    };
    api("POST /v1/forms/preview", input, { signal: stop.signal }).then(
      ({ html }) => {
        if (!stop.signal.aborted) setPreview({ html, error: null });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setPreview(({ html }) => ({ html, error }));
      },
    );
    return () => stop.abort();
  }, [api, settled, view, language, theme]);
  return { ...preview, busy: settled !== draft };
}

/** The form as its visitors will see it, while it is written. */
export function FormPreview({
  draft,
  languages,
}: {
  draft: FormDraft;
  languages: readonly { code: string; name: string }[];
}) {
  const [view, setView] = useState<View>("page");
  const [language, setLanguage] = useState("");
  const [dark, setDark] = useState(false);
  const [narrow, setNarrow] = useState(false);
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
  const { html, error, busy } = usePreview(draft, {
    view,
    language: draft.language || language || undefined,
    theme: dark ? "dark" : "light",
  });
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const document = useMemo(
    () =>
      inBrowser && html ? frameDocument(html, pageNonce(), seenDark ? "own" : null).srcDoc : "",
    [html, inBrowser, seenDark],
  );
  const follows = view === "mail" || (view !== "snippet" && theme === "auto");
  return (
    <section aria-label={t("Preview")} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
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
        <div role="group" aria-label={t("View")} className="flex gap-1">
          <span className="flex gap-1 max-sm:hidden">
            <ToggleButton
              icon={Monitor}
              label={t("Wide")}
              chosen={!narrow}
              onChoose={() => setNarrow(false)}
            />
            <ToggleButton
              icon={Smartphone}
              label={t("Phone")}
              chosen={narrow}
              onChoose={() => setNarrow(true)}
            />
          </span>
          {follows && (
            <ToggleButton
              icon={Moon}
              label={t("Dark")}
              chosen={dark}
              onChoose={() => setDark(!dark)}
            />
          )}
        </div>
      </div>
      {error ? (
        <Callout kind="warning" title={t("The preview shows the last version that worked")}>
          {messageOf(error)}
        </Callout>
      ) : null}
      <div
        aria-busy={busy}
        className="h-[40rem] overflow-hidden rounded-md border border-rule-strong bg-sunken"
      >
        <SandboxedFrame
          title={t("Preview of the form")}
          srcDoc={document}
          dark={seenDark ? "own" : null}
          className={clsx("size-full", narrow && "max-w-[24.5rem]")}
        />
      </div>
    </section>
  );
}
