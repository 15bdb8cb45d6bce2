"use client";

import { Plus } from "lucide-react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";

const AddDomainDialog = deferredDialog(() =>
  import("./add-domain-dialog").then((module) => module.AddDomainDialog),
);

/** The button that adds a domain and goes to its records. Renders nothing for those who may not. */
export function AddDomain({
  again = false,
}: {
  /** The page’s header has this button, too, and answers its address. */
  again?: boolean;
}) {
  const [open, setOpen] = useNewDialog(!again);
  const may = useMay("admin");
  useLoaded(AddDomainDialog, may);
  if (!may) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Add domain")}
      </Button>
      {open && <AddDomainDialog onClose={() => setOpen(false)} />}
    </>
  );
}
