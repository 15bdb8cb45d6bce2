"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useProjectPath } from "@/components/api/project-context";

/** The delete button on a thing's own page: asks, deletes it and goes back to the list. */
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
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={`Delete “${name}”?`}
        action={`Delete ${kind}`}
        run={remove}
        done={`${name} was deleted`}
        onDone={() => router.push(path(list))}
      >
        {children}
      </ConfirmAction>
    </>
  );
}
