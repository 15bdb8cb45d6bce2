"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";

const AddDomainDialog = deferredDialog(() =>
  import("./add-domain-dialog").then((module) => module.AddDomainDialog),
);

/** The button that adds a domain and goes to its records. Renders nothing for those who may not. */
export function AddDomain() {
  const [open, setOpen] = useState(false);
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
