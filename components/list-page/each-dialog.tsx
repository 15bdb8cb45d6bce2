"use client";

import { useEffect, useRef, useState, type ReactNode } from "react";
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

const stayWords = (count: number) =>
  t("{count, plural, one {# of them stays as it is:} other {# of them stay as they are:}}", {
    count,
  });

/** Asks first, acts on one thing after the other, and says which of them stay as they are, and why. */
export function EachDialog({
  things: asked,
  title,
  action,
  dismiss,
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
  /** Label of the button that leaves everything as it is; `Cancel` unless set. */
  dismiss?: string | undefined;
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
      for (const id of ids) {
        await undo?.(id).catch((error: unknown) => {
          // What has gone in the meantime needs no undo, and keeps nothing else from it.
          if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
        });
      }
    },
    onSuccess: () => toast.success(t("Undone")),
    onError: (error) =>
      toast.error(t("Not everything could be undone"), { description: messageOf(error) }),
  });
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
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
      if (staying.length > 0) {
        // With nothing left, the list has taken this dialog with it.
        if (!isShown.current)
          toast.error(stayWords(staying.length), { description: staying[0]?.reason ?? "" });
        return;
      }
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
        description={stayWords(refused.length)}
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
      {...(dismiss === undefined ? {} : { dismiss })}
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
      <Names things={things} />
    </ConfirmDialog>
  );
}

const mostNamed = 5;

/** What it is about: all, or the first few. */
function Names({ things }: { things: readonly Thing[] }) {
  const others = things.length - mostNamed;
  return (
    <ul className="mt-3 text-sm">
      {things.slice(0, mostNamed).map(({ id, name }) => (
        <li key={id} className="truncate font-medium">
          {name}
        </li>
      ))}
      {others > 0 && <li className="text-soft">{t("{count, number} more", { count: others })}</li>}
    </ul>
  );
}
