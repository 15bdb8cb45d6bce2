"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { toast } from "@/components/ui/toast";
import { t } from "@/lib/ground/texts/t";
import { CampaignVersions } from "./campaign-versions";
import { stored, type useDraft } from "./use-draft";

interface Restoring {
  version: number;
  /** What an undo brings back; null: this is one. */
  replaces: number | null;
  /** Of an undo: when the campaign was last changed, if by nothing but what is undone. */
  undoes: string | null;
}

/** What the campaign said before: what is being written is saved first, and a version that comes back replaces it. */
export function ComposerVersions({
  campaignId: id,
  writing: { sync, version: updatedAt },
}: {
  campaignId: string;
  writing: ReturnType<typeof useDraft>;
}) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useLoaded(CampaignVersions);
  // What keeps it from being saved is shown on the page.
  const open = useAction({ mutationFn: () => sync.flush(), onSuccess: () => setOpen(true) });
  const restore = useAction({
    mutationFn: async ({ version, undoes }: Restoring) => {
      // What has been written since an undo was offered is saved, and keeps it from replacing that.
      await sync.flush();
      return api("POST /v1/campaigns/{id}/versions/{version}/restore", {
        params: { id, version: String(version) },
        body: { basedOn: undoes ?? sync.version },
      });
    },
    onSuccess: (campaign, { version, replaces }) => {
      sync.receive(stored(campaign));
      close();
      const undo = () =>
        replaces !== null &&
        restore.mutate({ version: replaces, replaces: null, undoes: campaign.updatedAt });
      toast.success(
        t("Version {version} is restored", { version }),
        replaces === null ? {} : { action: { label: t("Undo"), run: undo } },
      );
    },
    onError: (error, { replaces }) =>
      toast.error(
        replaces === null ? t("Nothing was undone") : t("The version could not be restored"),
        { description: messageOf(error) },
      ),
  });
  return (
    <>
      <Button pending={open.isPending} onClick={() => open.mutate()}>
        <History aria-hidden /> {t("Versions")}
      </Button>
      {isOpen && (
        <CampaignVersions
          campaign={{ id, updatedAt }}
          pending={restore.isPending}
          onRestore={(version, replaces) => restore.mutate({ version, replaces, undoes: null })}
          onClose={close}
        />
      )}
    </>
  );
}
