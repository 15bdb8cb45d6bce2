"use client";

import type { ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { ConfirmDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useAction } from "./use-action";

/** Asks, does it once, says that it is done and closes. When it is refused, the dialog stays and says why. */
export function ConfirmAction<Answer>({
  run,
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
  /** What is said when it worked. */
  done?: string;
  onDone?: (answer: Answer) => void;
  onClose: () => void;
  /** The page goes when it worked, and the dialog with it. */
  leaves?: boolean;
  open?: boolean;
  /** What is lost. */
  children: ReactNode;
}) {
  const doing = useAction({
    mutationFn: run,
    leaves,
    onSuccess: (answer) => {
      if (done) toast.success(done);
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
