"use client";

import { useState, type ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";

export interface Thing {
  id: string;
  /** As the list shows it. */
  name: string;
}

/** Answers that are about the one thing. After any other, the next would get the same. */
const refusals = ["CONFLICT", "NOT_ALLOWED", "VALIDATION_ERROR"];

/** Why the thing stays as it is; null: it has gone, which is as good. Throws what is not about the thing. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "NOT_FOUND") return null;
  if (!refusals.includes(error.code)) throw error;
  return messageOf(error);
}

/** Asks first, acts on one thing after the other, and says which of them stay as they are, and why. */
export function EachDialog({
  things: asked,
  title,
  action,
  variant = "danger",
  run,
  done,
  undo,
  onDone,
  onClose,
  children,
}: {
  things: readonly Thing[];
  /** `Delete 3 templates?` */
  title: string;
  /** Label of the button that does it. */
  action: string;
  /** Of that button; `primary` where nothing is lost. */
  variant?: "danger" | "primary";
  run: (id: string) => Promise<unknown>;
  /** `3 templates deleted` */
  done: (count: number) => string;
  /** Takes it back for one of them, exactly. */
  undo?: ((id: string) => Promise<unknown>) | undefined;
  onDone: () => void;
  onClose: () => void;
  /** What is lost. */
  children: ReactNode;
}) {
  // The list changes while it runs.
  const [things] = useState(asked);
  const [tried, setTried] = useState(0);
  const [refused, setRefused] = useState<readonly (Thing & { reason: string })[]>([]);
  const takeBack = useAction({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await undo?.(id);
    },
    onSuccess: () => toast.success(t("It was taken back")),
    onError: (error) =>
      toast.error(t("Not everything was taken back"), { description: messageOf(error) }),
  });
  const acting = useAction({
    mutationFn: async () => {
      const staying = [...refused];
      for (const thing of things.slice(tried)) {
        const reason = await run(thing.id).then(() => null, refusalOf);
        if (reason !== null) staying.push({ ...thing, reason });
        setRefused([...staying]);
        setTried((count) => count + 1);
      }
      return staying;
    },
    onSuccess: (staying) => {
      onDone();
      if (staying.length > 0) return;
      const ids = things.map(({ id }) => id);
      toast.success(
        done(things.length),
        undo ? { action: { label: t("Undo"), run: () => takeBack.mutate(ids) } } : {},
      );
      onClose();
    },
  });
  if (acting.isSuccess && refused.length > 0) {
    const changed = things.length - refused.length;
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={changed > 0 ? done(changed) : t("Nothing was changed")}
        description={t(
          "{count, plural, one {# of them stays as it is:} other {# of them stay as they are:}}",
          { count: refused.length },
        )}
        footer={<Button onClick={onClose}>{t("Close")}</Button>}
      >
        <ul className="max-h-72 divide-y overflow-y-auto text-sm">
          {refused.map(({ id, name, reason }) => (
            <li key={id} className="py-2 wrap-anywhere">
              <span className="block font-medium">{name}</span>
              <span className="text-soft">{reason}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  const progress = { tried, total: things.length };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && !acting.isPending && onClose()}
      title={title}
      action={acting.isPending ? t("{tried} of {total} done", progress) : action}
      variant={variant}
      onConfirm={() => acting.mutate()}
      pending={acting.isPending}
      error={
        acting.isError
          ? t("{tried} of {total} were done before this happened: {error}", {
              ...progress,
              error: messageOf(acting.error),
            })
          : null
      }
    >
      {children}
    </ConfirmDialog>
  );
}
