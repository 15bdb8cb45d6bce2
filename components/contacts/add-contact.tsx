"use client";

import { UserPlus } from "lucide-react";
import { useMay } from "@/components/api/project-context";
import { Button, type ButtonVariant } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";

const AddContactDialog = deferredDialog(() =>
  import("./add-contact-dialog").then((module) => module.AddContactDialog),
);

/** Button that asks for a person and goes to their page. Renders nothing for those who may not. */
export function AddContact({
  variant = "primary",
  again = false,
}: {
  variant?: ButtonVariant;
  /** The page’s header has this button, too, and answers its address. */
  again?: boolean;
}) {
  const [open, setOpen] = useNewDialog(!again);
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
