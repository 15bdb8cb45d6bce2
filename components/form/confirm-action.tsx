"use client";

import type { ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { ConfirmDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { t } from "@/lib/ground/texts/t";
import { useAction } from "./use-action";

/** Asks, acts once, says that it is done and closes. If refused, the dialog stays and says why. */
export function ConfirmAction<Answer>({
  run,
  undo,
  done,
  onDone,
  onClose,
  leaves = false,
  open = true,
  ...dialog
}: {
  /** Names the thing: `Revoke “Production”?` */
  title: string;
  /** Label of the button that does it: `Revoke key`. */
  action: string;
  /** Of that button; `primary` where nothing is lost. */
  variant?: "danger" | "primary";
  /** Label of the button that does nothing. */
  dismiss?: string;
  run: () => Promise<Answer>;
  /** Takes it back exactly: offered in the toast. */
  undo?: (() => Promise<unknown>) | undefined;
  /** Shown on success. */
  done?: string;
  onDone?: (answer: Answer) => void;
  onClose: () => void;
  /** On success the page is left, and the dialog goes with it. */
  leaves?: boolean;
  open?: boolean;
  /** What is lost. */
  children: ReactNode;
}) {
  // The page or the dialog is mostly gone by then.
  const takeBack = useAction({
    mutationFn: async () => undo?.(),
    leaves: true,
    onSuccess: () => toast.success(t("Undone")),
    onError: (error) => toast.error(t("Nothing was undone"), { description: messageOf(error) }),
  });
  const doing = useAction({
    mutationFn: run,
    leaves,
    onSuccess: (answer) => {
      if (done) {
        toast.success(
          done,
          undo ? { action: { label: t("Undo"), run: () => takeBack.mutate() } } : {},
        );
      }
      if (!leaves) onClose();
      onDone?.(answer);
    },
  });
  return (
    <ConfirmDialog
      {...dialog}
      open={open}
      onOpenChange={(opened) => !opened && onClose()}
      onConfirm={() => doing.mutate()}
      pending={doing.isPending}
      error={doing.isError ? messageOf(doing.error) : null}
    />
  );
}
