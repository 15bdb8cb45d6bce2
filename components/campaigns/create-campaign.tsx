"use client";

import { Plus } from "lucide-react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";

const CreateCampaignDialog = deferredDialog(() =>
  import("./create-campaign-dialog").then((module) => module.CreateCampaignDialog),
);

/** The button that begins a campaign. */
export function CreateCampaign({
  label = t("Create campaign"),
  again = false,
}: {
  label?: string;
  /** The page’s header has this button, too, and answers its address. */
  again?: boolean;
}) {
  const [open, setOpen] = useNewDialog(!again);
  const may = useMay("editor");
  useLoaded(CreateCampaignDialog, may);
  if (!may) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {label}
      </Button>
      {open && <CreateCampaignDialog onClose={() => setOpen(false)} />}
    </>
  );
}
