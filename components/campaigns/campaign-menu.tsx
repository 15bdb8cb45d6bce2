"use client";

import { Ban, Copy, Ellipsis, MousePointerClick, Scale, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useProjectPath } from "@/components/api/project-context";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useAction } from "@/components/form/use-action";
import { IconButton } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { mayCancel, mayDelete } from "./campaign-status";
import { useFollowUp } from "./follow-up";
import { people } from "@/components/ui/numbers";

type Shown = Pick<CampaignProgress, "id" | "name" | "status" | "stats">;

/** Less frequent actions on a campaign: duplicate, cancel, delete. */
export function CampaignMenu({
  campaign,
  flush = () => Promise.resolve(),
}: {
  campaign: Shown;
  /** Saves pending changes, so that a copy has them. */
  flush?: () => Promise<void>;
}) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const [asking, setAsking] = useState<"cancel" | "delete" | null>(null);
  const close = () => setAsking(null);
  const params = { id: campaign.id };
  const { status, name, stats } = campaign;
  const duplicate = useAction({
    leaves: true,
    mutationFn: async () => {
      await flush();
      return api("POST /v1/campaigns/{id}/duplicate", { params });
    },
    onSuccess: (copy) => {
      toast.success(t("{name} was created as a draft", { name: copy.name }));
      router.push(path(`campaigns/${copy.id}`));
    },
    onError: (error) =>
      toast.error(t("The campaign could not be duplicated"), { description: messageOf(error) }),
  });
  const followUp = useFollowUp(campaign.id);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("More")} variant="secondary">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={() => duplicate.mutate()}>
          <Copy aria-hidden /> {t("Duplicate")}
        </MenuItem>
        {stats.recipients > 0 && (
          <MenuItem onClick={() => router.push(path(`campaigns/${campaign.id}/compare`))}>
            <Scale aria-hidden /> {t("Compare")}
          </MenuItem>
        )}
        {status === "SENT" && (
          <>
            <MenuItem onClick={() => followUp.mutate("not_clicked")}>
              <MousePointerClick aria-hidden /> {t("Send to those who did not click")}
            </MenuItem>
            <MenuItem onClick={() => followUp.mutate("clicked")}>
              <MousePointerClick aria-hidden /> {t("Send to those who clicked")}
            </MenuItem>
          </>
        )}
        {mayCancel(status) && (
          <MenuItem danger onClick={() => setAsking("cancel")}>
            <Ban aria-hidden /> {t("Cancel campaign")}
          </MenuItem>
        )}
        {mayDelete(status) && (
          <MenuItem danger onClick={() => setAsking("delete")}>
            <Trash2 aria-hidden /> {t("Delete")}
          </MenuItem>
        )}
      </Menu>
      <ConfirmAction
        open={asking === "cancel"}
        onClose={close}
        title={t("Cancel “{name}”?", { name })}
        action={t("Cancel campaign")}
        dismiss={t("Keep it")}
        run={() => api("POST /v1/campaigns/{id}/cancel", { params })}
        done={t("{name} was cancelled", { name })}
      >
        {status === "SCHEDULED"
          ? t("It will not be sent. To send it later, duplicate it.")
          : t(
              "{people} who have not received it yet never will. Emails already sent are not affected. To stop it for a while, pause it instead.",
              { people: people(stats.pending) },
            )}
      </ConfirmAction>
      <ConfirmAction
        open={asking === "delete"}
        onClose={close}
        leaves
        title={t("Delete “{name}”?", { name })}
        action={t("Delete campaign")}
        run={() => api("DELETE /v1/campaigns/{id}", { params })}
        done={t("{name} was deleted", { name })}
        onDone={() => router.push(path("campaigns"))}
      >
        {status === "DRAFT"
          ? t("This permanently deletes everything written in it.")
          : t("This also deletes its figures. Emails it sent stay in the log.")}
      </ConfirmAction>
    </>
  );
}
