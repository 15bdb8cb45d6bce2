"use client";

import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { changeWords, resultWords } from "@/components/contact-fields/words";
import { useAction } from "@/components/form/use-action";
import { toast } from "@/components/ui/toast";
import type { BulkChange } from "@/lib/domain/contact-fields/schema";
import { t } from "@/lib/ground/texts/t";

/**
 * To be called with a change of many contacts that was asked for. What is done already is told at once; `onStarted`
 * is given the id of one that is under way, whose progress the page shows.
 */
export function useStarted(onStarted: (underWay: string | null) => void) {
  const undo = useUndoBulkChange(onStarted);
  return (change: BulkChange) => {
    onStarted(change.finishedAt === null ? change.id : null);
    if (change.finishedAt !== null) tellEnd(change, () => undo.mutate(change.id));
  };
}

/** Takes back a change of tags. */
export function useUndoBulkChange(onStarted: (underWay: string | null) => void) {
  const api = useApi();
  return useAction({
    mutationFn: (id: string) => api("POST /v1/contacts/changes/{id}/undo", { params: { id } }),
    onSuccess: (change) => {
      onStarted(change.finishedAt === null ? change.id : null);
      if (change.finishedAt !== null) tellEnd(change);
    },
    onError: (error) => toast.error(t("Nothing was undone"), { description: messageOf(error) }),
  });
}

function tellEnd(change: BulkChange, undo?: () => void): void {
  if (change.status === "FAILED") {
    toast.error(t("The change stopped"), { description: change.failureReason ?? "" });
    return;
  }
  toast.success(changeWords(change), {
    description: resultWords(change),
    ...(undo && change.undoable ? { action: { label: t("Undo"), run: undo } } : {}),
  });
}
