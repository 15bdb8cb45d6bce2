"use client";

import { Plus } from "lucide-react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";

const AddSuppressionDialog = deferredDialog(() =>
  import("./add-suppression-dialog").then((module) => module.AddSuppressionDialog),
);

/** The button that suppresses an address or a domain. Renders nothing for those who may not. */
export function AddSuppression({
  again = false,
}: {
  /** The page’s header has this button, too, and answers its address. */
  again?: boolean;
}) {
  const [open, setOpen] = useNewDialog(!again);
  const may = useMay("editor");
  useLoaded(AddSuppressionDialog, may);
  if (!may) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Suppress an address")}
      </Button>
      {open && <AddSuppressionDialog onClose={() => setOpen(false)} />}
    </>
  );
}
