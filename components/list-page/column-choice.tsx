"use client";

import { Columns3 } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";
import type { ColumnDialogProps } from "./column-dialog";

const load = () => import("./column-dialog").then((module) => module.ColumnDialog);
const UsualDialog = deferredDialog<ColumnDialogProps>(load);

/** Lets the reader choose what a list shows; kept in the browser. */
export function ColumnChoice({
  Dialog = UsualDialog,
  ...choice
}: Omit<ComponentProps<typeof UsualDialog>, "onClose"> & {
  /** For a list whose fields have to be read first. */
  Dialog?: typeof UsualDialog;
}) {
  const [open, setOpen] = useState(false);
  useLoaded(Dialog);
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Columns3 aria-hidden /> {t("Columns")}
      </Button>
      {open && <Dialog {...choice} onClose={() => setOpen(false)} />}
    </>
  );
}
