"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { t } from "@/lib/ground/texts/t";

/** Empties the captured mailbox, for those who may. */
export function ClearMailbox() {
  const [open, setOpen] = useState(false);
  const { name } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const may = useMay("editor");
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trash2 aria-hidden /> {t("Empty mailbox")}
      </Button>
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={t("Empty the captured mailbox of {name}?", { name })}
        action={t("Empty mailbox")}
        run={() => api("DELETE /v1/captured", {})}
        done={t("The captured mailbox is empty")}
        onDone={() => {
          router.replace(path("captured"));
          router.refresh();
        }}
      >
        {t(
          "This deletes every message in it, for everybody in the project, including those the current search does not show. The email log and its figures stay.",
        )}
      </ConfirmAction>
    </>
  );
}
