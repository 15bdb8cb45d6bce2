"use client";

import { useCallback, useState, type ReactNode } from "react";
import { useApi } from "@/components/api/use-api";
import { isKnownWrong } from "@/components/form/lazy-schema";
import { PagePreview } from "@/components/message-viewer/page-preview";
import { usePagePreview } from "@/components/message-viewer/use-page-preview";
import { useLoaded } from "@/components/ui/deferred";
import { Island } from "@/components/ui/island";
import { Select } from "@/components/ui/select";
import type { RecipientDraft, RecipientView } from "@/lib/domain/projects/pages-schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { recipientDraft } from "./schemas";

const viewNames: Readonly<Record<RecipientView, string>> = phrases({
  preferences: "The preference page",
  unsubscribe: "After “Unsubscribe” in an email",
  confirmation: "The page that confirms a subscription",
  form: "The page of a sign-up form",
  sent: "After signing up",
  mail: "The email that asks to confirm",
});

/** From JSON, which is the same whenever what is written is. */
function previewedOf(written: string): RecipientDraft | null {
  const draft = JSON.parse(written) as RecipientDraft;
  return isKnownWrong(recipientDraft, draft) ? null : draft;
}

/**
 * What recipients will see of the project, with somebody made up in their place, while its settings are changed.
 */
export function RecipientPreview({
  draft,
  views,
}: {
  draft: RecipientDraft;
  /** What can be chosen; the first is shown first. */
  views: readonly [RecipientView, ...RecipientView[]];
}) {
  const api = useApi();
  const [view, setView] = useState(views[0]);
  const [dark, setDark] = useState(false);
  const read = useCallback(
    (body: RecipientDraft, signal: AbortSignal) =>
      api(
        "POST /v1/project/preview",
        { body: { ...body, view, theme: dark ? "dark" : "light" } },
        { signal },
      ),
    [api, view, dark],
  );
  useLoaded(recipientDraft);
  const preview = usePagePreview(JSON.stringify(draft), previewedOf, read);
  return (
    <PagePreview {...preview} title={t("What recipients will see")} dark={dark} onDark={setDark}>
      {views.length > 1 && (
        <Select
          label={t("Preview of")}
          options={views.map((value) => ({ value, label: viewNames[value] }))}
          value={view}
          onChange={setView}
          className="w-80! max-w-full"
        />
      )}
    </PagePreview>
  );
}

/** What changes something, with the preview beside it, on a phone below. */
export function BesidePreview({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-9 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <Island>{children}</Island>
      </div>
      <div className="lg:sticky lg:top-6 lg:self-start">
        <Island>{preview}</Island>
      </div>
    </div>
  );
}
