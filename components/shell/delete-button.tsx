"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { Button, IconButton } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useProjectPath } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";

/** The button on a thing's own page that asks, deletes it and goes back to the list. */
export function DeleteThing({
  kind,
  name,
  list,
  remove,
  iconOnly = false,
  children,
}: {
  /** `contact` */
  kind: string;
  name: string;
  /** Path of the list below the project: `contacts`. */
  list: string;
  remove: () => Promise<unknown>;
  iconOnly?: boolean;
  /** What is lost. */
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const path = useProjectPath();
  const router = useRouter();
  const deletion = useAction({
    leaves: true,
    mutationFn: remove,
    onSuccess: () => {
      toast.success(`${name} was deleted`);
      router.push(path(list));
    },
  });
  const ask = () => setOpen(true);
  return (
    <>
      {iconOnly ? (
        <IconButton label={`Delete ${kind}`} variant="secondary" onClick={ask}>
          <Trash2 aria-hidden />
        </IconButton>
      ) : (
        <Button onClick={ask}>
          <Trash2 aria-hidden /> Delete
        </Button>
      )}
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete “${name}”?`}
        action={`Delete ${kind}`}
        onConfirm={() => deletion.mutate()}
        pending={deletion.isPending}
        error={deletion.isError ? messageOf(deletion.error) : null}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
