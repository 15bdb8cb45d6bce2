"use client";

import { Columns3 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";
import type { Column } from "./columns";

const ColumnDialog = deferredDialog(() =>
  import("./column-dialog").then((module) => module.ColumnDialog),
);

/** Lets the reader choose what the list of contacts shows; kept in the browser. */
export function ColumnChoice({ columns }: { columns: readonly Column[] }) {
  const [open, setOpen] = useState(false);
  useLoaded(ColumnDialog);
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Columns3 aria-hidden /> {t("Columns")}
      </Button>
      {open && <ColumnDialog columns={columns} onClose={() => setOpen(false)} />}
    </>
  );
}
