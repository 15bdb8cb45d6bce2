"use client";

import { useRouter } from "next/navigation";
import { messageOf } from "@/components/api/faults";
import { useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useAction } from "@/components/form/use-action";
import { toast } from "@/components/ui/toast";
import type { FollowUpAudience } from "@/lib/domain/campaigns/action-schema";
import { t } from "@/lib/ground/texts/t";

/** Drafts a follow-up to some of a campaign's people, and opens it. */
export function useFollowUp(campaignId: string) {
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  return useAction({
    leaves: true,
    mutationFn: (audience: FollowUpAudience) =>
      api("POST /v1/campaigns/{id}/follow-up", { params: { id: campaignId }, body: { audience } }),
    onSuccess: (draft) => {
      toast.success(t("{name} was created as a draft", { name: draft.name }));
      router.push(path(`campaigns/${draft.id}`));
    },
    onError: (error) =>
      toast.error(t("The follow-up was not created"), { description: messageOf(error) }),
  });
}
