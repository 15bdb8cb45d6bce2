"use client";

import { Ban, Trash2 } from "lucide-react";
import { useApi } from "@/components/api/use-api";
import { EachActions } from "@/components/list-page/each-actions";
import { counted } from "@/components/ui/numbers";
import type { CampaignSummary } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { mayCancel, mayDelete } from "./campaign-status";

/** What can be done with several campaigns; to each only what can be done to it alone. */
export function CampaignActions({
  chosen,
  onDone,
}: {
  chosen: readonly CampaignSummary[];
  onDone: () => void;
}) {
  const api = useApi();
  const toCancel = chosen.filter(({ status }) => mayCancel(status));
  const toDelete = chosen.filter(({ status }) => mayDelete(status));
  const [cancelled, deleted] = [
    counted(toCancel.length, "campaign"),
    counted(toDelete.length, "campaign"),
  ];
  const others = (things: readonly CampaignSummary[]) => chosen.length - things.length;
  return (
    <EachActions
      label={t("Selected campaigns")}
      hint={t("Select campaigns to cancel or delete several at once.")}
      chosen={chosen.length}
      actions={[
        {
          label: t("Cancel campaigns"),
          icon: Ban,
          things: toCancel,
          title: t("Cancel {campaigns}?", { campaigns: cancelled }),
          lost: (
            <>
              {t(
                "Those that are scheduled will not be sent, and those being sent reach nobody else. It cannot be undone: to send one after all, duplicate it.",
              )}{" "}
              <Others count={others(toCancel)} />
            </>
          ),
          action: t("Cancel {campaigns}", { campaigns: cancelled }),
          dismiss: toCancel.length === 1 ? t("Keep it") : t("Keep them"),
          run: (id) => api("POST /v1/campaigns/{id}/cancel", { params: { id } }),
          done: (count) => t("{campaigns} cancelled", { campaigns: counted(count, "campaign") }),
        },
        {
          label: t("Delete"),
          icon: Trash2,
          things: toDelete,
          title: t("Delete {campaigns}?", { campaigns: deleted }),
          lost: (
            <>
              {t(
                "This permanently deletes what is written in them, and the figures of those that were cancelled. Emails they sent stay in the log.",
              )}{" "}
              <Others count={others(toDelete)} />
            </>
          ),
          action: t("Delete {campaigns}", { campaigns: deleted }),
          run: (id) => api("DELETE /v1/campaigns/{id}", { params: { id } }),
          done: (count) => t("{campaigns} deleted", { campaigns: counted(count, "campaign") }),
        },
      ]}
      onDone={onDone}
    />
  );
}

/** That not all of those selected are in a state for it. */
function Others({ count }: { count: number }) {
  if (count === 0) return null;
  return t(
    "{count, plural, one {# other that you selected is in another state and stays.} other {# others that you selected are in another state and stay.}}",
    { count },
  );
}
