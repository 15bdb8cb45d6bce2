"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { isStale } from "@/components/form/answers";
import { conflictingFields } from "@/components/form/merge";
import type { Template, TemplateInput, TemplateUpdate } from "@/lib/domain/templates/schema";

type Field = keyof TemplateInput;
const contentOf = ({ name, subject, body }: Template): TemplateInput => ({ name, subject, body });

/**
 * Saves a template based on the version that is known here. Others' changes of other fields are taken along;
 * of the same ones, they are a conflict that is shown, and the save rejects with the server's refusal.
 */
export function useTemplateSaves(saved: Template | null, onNewer: (template: Template) => void) {
  const api = useApi();
  const [conflict, setConflict] = useState<{
    fields: readonly Field[];
    theirs: Template;
  } | null>(null);

  const save = async (body: TemplateInput | TemplateUpdate): Promise<Template> => {
    if (!saved) return api("POST /v1/templates", { body: body as TemplateInput });
    const params = { id: saved.id };
    const change = (basedOn: string) =>
      api("PATCH /v1/templates/{id}", { params, body: { ...body, basedOn } });
    try {
      return await change(saved.updatedAt);
    } catch (error) {
      if (!isStale(error)) throw error;
      const theirs = await api("GET /v1/templates/{id}", { params });
      const base = contentOf(saved);
      const written = Object.fromEntries(
        Object.entries(body).filter(([name]) => name in base),
      ) as Partial<TemplateInput>;
      const fields = conflictingFields(base, contentOf(theirs), { ...base, ...written });
      if (fields.length > 0) {
        setConflict({ fields, theirs });
        throw error;
      }
      return change(theirs.updatedAt);
    }
  };
  return {
    conflict,
    save,
    /** Looks for what was changed since `base` both in `mine` and in what is saved. */
    compare: (base: TemplateInput, mine: TemplateInput) => {
      if (!saved) return;
      const fields = conflictingFields(base, contentOf(saved), mine);
      if (fields.length > 0) setConflict({ fields, theirs: saved });
    },
    /** Somebody chose: what the server has is what the next save is based on. */
    decide: () => {
      if (conflict) onNewer(conflict.theirs);
      setConflict(null);
    },
  };
}
