"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";

/** Empties the captured mailbox, for those who may. */
export function ClearMailbox() {
  const [open, setOpen] = useState(false);
  const { name } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const may = useMay("editor");
  const clear = useAction({
    mutationFn: () => api("DELETE /v1/captured", {}),
    onSuccess: () => {
      toast.success("The captured mailbox is empty");
      setOpen(false);
      router.replace(path("captured"));
      router.refresh();
    },
  });
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trash2 aria-hidden /> Empty mailbox
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Empty the captured mailbox of ${name}?`}
        action="Empty mailbox"
        onConfirm={() => clear.mutate()}
        pending={clear.isPending}
        error={clear.isError ? messageOf(clear.error) : null}
      >
        This deletes every message in it, for everybody in the project, including those the current
        search does not show. The email log and its figures stay.
      </ConfirmDialog>
    </>
  );
}
