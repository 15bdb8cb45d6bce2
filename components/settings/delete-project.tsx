"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Section } from "@/components/ui/page-header";
import { t } from "@/lib/ground/texts/t";
import type { Proofs } from "./passkey-dialogs";

const DeleteProjectDialog = deferredDialog(() =>
  import("./delete-project-dialog").then((module) => module.DeleteProjectDialog),
);

/** Deletes the project. Shown to its owners only. */
export function DeleteProject({ proofs }: { proofs: Proofs }) {
  const [open, setOpen] = useState(false);
  const may = useMay("owner");
  useLoaded(DeleteProjectDialog, may);
  if (!may) return null;
  return (
    <Section
      title={t("Delete this project")}
      description={t(
        "Its contacts, campaigns, emails, figures, files and keys are deleted for good, for all of its members.",
      )}
    >
      <Button onClick={() => setOpen(true)}>
        <Trash2 aria-hidden /> {t("Delete project")}
      </Button>
      {open && <DeleteProjectDialog proofs={proofs} onClose={() => setOpen(false)} />}
    </Section>
  );
}
