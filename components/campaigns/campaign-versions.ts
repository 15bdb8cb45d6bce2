import { deferredDialog } from "@/components/ui/deferred-dialog";

export const CampaignVersions = deferredDialog(() =>
  import("./versions-dialog").then((module) => module.CampaignVersionsDialog),
);
