"use client";

import { useEffect, useId, useLayoutEffect, useRef, type ComponentType } from "react";
import { t } from "@/lib/ground/texts/t";
import { BusyDots, Button } from "./button";
import { deferred } from "./deferred";
import { useLayerAbove } from "./layer";
import { toast } from "./toast";

interface Closable {
  onClose: () => void;
}

/** Says that something cannot be shown: the page is older than the server, or the server is away. */
export function NotLoaded({ onClose }: Closable) {
  useEffect(() => {
    toast.error(t("This could not be opened"), {
      description: t("Reload the page, then try again."),
    });
    onClose();
    // Once: the dialog's owner may pass another function each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return null;
}

/** Stands where a dialog is about to be. The browser's own: it needs no script that may be late itself. */
export function Coming({ onClose }: Closable) {
  const frame = useRef<HTMLDialogElement>(null);
  const words = useId();
  useLayerAbove(true);
  useLayoutEffect(() => {
    const dialog = frame.current;
    dialog?.showModal();
    // Not its button: what somebody types at once must not press it.
    dialog?.focus();
    // Closed before it goes, it gives the focus back to where it was. The dialog that follows will do so, too.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={frame}
      tabIndex={-1}
      aria-labelledby={words}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="fixed inset-x-0 top-auto bottom-0 mx-auto w-full max-w-none rounded-t-lg border border-rule-strong bg-sheet p-5 text-ink shadow-sheet outline-none backdrop:bg-transparent sm:top-[12vh] sm:bottom-auto sm:max-w-lg sm:rounded-lg"
    >
      <div className="flex items-center justify-between gap-4">
        <p className="flex items-center gap-1 text-sm text-soft">
          <BusyDots />
          <span id={words} className="ml-2">
            {t("Loading…")}
          </span>
        </p>
        <Button onClick={onClose}>{t("Cancel")}</Button>
      </div>
    </dialog>
  );
}

/** A dialog whose script, its form's schema included, is loaded when somebody may be about to open it. */
export const deferredDialog = <Props extends Closable>(load: () => Promise<ComponentType<Props>>) =>
  deferred<Props>(load, NotLoaded, Coming);
