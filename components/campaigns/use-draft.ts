"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { sessionWatch } from "@/components/api/session-watch";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { isPassing, isStale } from "@/components/form/answers";
import { DocumentSync } from "@/components/form/document-sync";
import { textOf, useUnsentText } from "@/components/form/unsent-text";
import { useKeptWriting } from "@/components/form/use-local-draft";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { draftGroups, toDraft, toUpdate, type Draft } from "./draft";

/** A campaign as the composer has it. */
export const stored = (campaign: Campaign) => ({
  draft: toDraft(campaign),
  version: campaign.updatedAt,
});

/** A campaign as it is written: saved along the way, in step with other tabs, kept when it cannot be saved. */
export function useDraft(campaign: Campaign) {
  const api = useApi();
  const { id } = campaign;
  const [sync] = useState(() => {
    const params = { id };
    return new DocumentSync<Draft>(
      stored(campaign),
      {
        save: async (draft, fields, basedOn) =>
          stored(
            await api(
              "PATCH /v1/campaigns/{id}",
              { params, body: { ...toUpdate(draft, fields), basedOn } },
              { unasked: true },
            ),
          ),
        read: async () => stored(await api("GET /v1/campaigns/{id}", { params })),
        isStale,
        isPassing,
      },
      draftGroups,
    );
  });
  const state = useSyncExternalStore(sync.subscribe, sync.getState, sync.getState);
  const { data } = useRead("GET /v1/campaigns/{id}", { params: { id } }, { initial: campaign });
  useEffect(() => sync.receive(stored(data)), [sync, data]);
  const { kept, settle, forget } = useKeptWriting(id, state.saved, state.draft);
  useEffect(() => sessionWatch.onReturn(() => sync.retry()), [sync]);
  useUnsentText(sync.dirty ? () => textOf(state.saved, state.draft) : null);
  useEffect(
    () => () => {
      void sync.leave().then((saved) => {
        if (saved) forget();
      });
    },
    [sync, forget],
  );
  return {
    ...state,
    dirty: sync.dirty,
    /** The saved version. */
    version: data.updatedAt,
    sync,
    kept,
    restore: () => {
      if (kept) sync.restore(kept.base, kept.mine);
      settle();
    },
    discard: settle,
  };
}
