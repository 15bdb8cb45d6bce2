"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";

const AddSuppressionDialog = deferredDialog(() =>
  import("./add-suppression-dialog").then((module) => module.AddSuppressionDialog),
);

/** The button that suppresses an address or a domain. Renders nothing for those who may not. */
export function AddSuppression() {
  const [open, setOpen] = useState(false);
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
