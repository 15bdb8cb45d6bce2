"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";

const AddContactDialog = deferredDialog(() =>
  import("./add-contact-dialog").then((module) => module.AddContactDialog),
);

/** Button that asks for a person and goes to their page. Renders nothing for those who may not. */
export function AddContact({ variant = "primary" }: { variant?: ButtonVariant }) {
  const [open, setOpen] = useState(false);
  const may = useMay("editor");
  useLoaded(AddContactDialog, may);
  if (!may) return null;
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        <UserPlus aria-hidden /> {t("Add contact")}
      </Button>
      {open && <AddContactDialog onClose={() => setOpen(false)} />}
    </>
  );
}
