"use client";

import { Link2 } from "lucide-react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";

const FetchFileDialog = deferredDialog(() =>
  import("./fetch-file-dialog").then((module) => module.FetchFileDialog),
);

/** Button that copies a file from the web to the library. Renders nothing for those who may not. */
export function FetchFile() {
  const [open, setOpen] = useNewDialog();
  const may = useMay("editor");
  useLoaded(FetchFileDialog, may);
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Link2 aria-hidden /> {t("Add from the web")}
      </Button>
      {open && <FetchFileDialog onClose={() => setOpen(false)} />}
    </>
  );
}
