"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useSettled } from "@/components/api/use-settled";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { toUpdate, type Draft } from "./draft";

/**
 * Saves a draft whenever the typing pauses. What was refused is tried again when it changes, or when
 * asked to (`flush`, which resolves once everything is saved and throws what keeps it from being).
 */
export function useAutosave(campaign: Campaign, draft: Draft, initial: Draft) {
  const api = useApi();
  const text = JSON.stringify(toUpdate(draft));
  const settled = useSettled(text);
  const [saved, setSaved] = useState(() => JSON.stringify(toUpdate(initial)));
  const save = useMutation({
    mutationFn: (wanted: string) =>
      api("PATCH /v1/campaigns/{id}", {
        params: { id: campaign.id },
        body: JSON.parse(wanted) as ReturnType<typeof toUpdate>,
      }),
    onSuccess: async (_, wanted) => {
      setSaved(wanted);
    },
  });
  const { mutate, isPending, isError, variables } = save;
  const refused = isError && variables === settled;
  useEffect(() => {
    if (settled === text && settled !== saved && !isPending && !refused) mutate(settled);
  }, [settled, text, saved, isPending, refused, mutate]);
  return {
    dirty: text !== saved,
    saving: isPending,
    error: isError && variables === text ? save.error : null,
    flush: async () => {
      if (text !== saved) await save.mutateAsync(text);
    },
  };
}
