"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useProjectPath } from "@/components/api/project-context";
import { phrases, t } from "@/lib/ground/texts/t";

const actions = phrases({
  contact: "Delete contact",
  domain: "Delete domain",
  form: "Delete form",
  list: "Delete list",
  message: "Delete message",
  segment: "Delete segment",
  template: "Delete template",
  webhook: "Delete webhook",
});

/** The delete button on a thing's own page: asks, deletes it and goes back to the list. */
export function DeleteThing({
  kind,
  name,
  list,
  remove,
  undo,
  iconOnly = false,
  children,
}: {
  kind: keyof typeof actions;
  name: string;
  /** Path of the list below the project: `contacts`. */
  list: string;
  remove: () => Promise<unknown>;
  /** Takes it back exactly. */
  undo?: () => Promise<unknown>;
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
        <IconButton label={actions[kind]} variant="secondary" onClick={ask}>
          <Trash2 aria-hidden />
        </IconButton>
      ) : (
        <Button onClick={ask}>
          <Trash2 aria-hidden /> {t("Delete")}
        </Button>
      )}
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={t("Delete “{name}”?", { name })}
        action={actions[kind]}
        run={remove}
        undo={undo}
        done={t("{name} was deleted", { name })}
        onDone={() => router.push(path(list))}
      >
        {children}
      </ConfirmAction>
    </>
  );
}
