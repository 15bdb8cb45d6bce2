"use client";

import { useApi } from "@/components/api/use-api";
import { isPassing, isStale } from "@/components/form/answers";
import type { KeptWriting } from "@/components/form/local-draft";
import { useServerDraft } from "@/components/form/use-server-draft";
import type { KeptTemplateDraft } from "@/lib/domain/templates/draft-schema";
import type { Template } from "@/lib/domain/templates/schema";
import { renderDesign } from "@/lib/mail/design/render";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { withoutMadeHtml, type TemplateDraft } from "./template-draft";

/** The draft's HTML is left to its design, as everywhere. */
function fieldsOf(fields: KeptTemplateDraft["changes"]): Partial<TemplateDraft> {
  const { design, ...rest } = fields;
  if (!design) return fields as Partial<TemplateDraft>;
  const drawn = design as unknown as EmailDesign;
  return { body: renderDesign(drawn), ...rest, design: drawn };
}

const writingOf = (draft: KeptTemplateDraft | null): KeptWriting<TemplateDraft> | null =>
  draft && { base: fieldsOf(draft.base), mine: fieldsOf(draft.changes), at: draft.updatedAt };

/** Keeps what is written into a template, and not saved, as its writer's draft. `saved` null: it is a new one. */
export function useTemplateDraft(
  saved: Template | null,
  initial: KeptTemplateDraft | null,
  { base, draft }: { base: TemplateDraft; draft: TemplateDraft },
  paused: boolean,
) {
  const api = useApi();
  const params = { id: saved?.id ?? "" };
  const route = "/v1/templates/{id}/draft";
  return useServerDraft<TemplateDraft>(
    saved && {
      keep: async (changes, fromVersion, basedOn) => {
        const body = { changes: withoutMadeHtml(changes), fromVersion, basedOn };
        return (await api(`PUT ${route}`, { params, body }, { unasked: true })).updatedAt;
      },
      forget: async (basedOn) => {
        await api(`DELETE ${route}`, { params, query: { basedOn } }, { unasked: true });
      },
      read: async () => writingOf((await api(`GET ${route}`, { params })).draft),
      isStale,
      isPassing,
    },
    writingOf(initial),
    { base, draft, fromVersion: saved?.version ?? 1 },
    paused,
  );
}
