"use client";

import { useEffect, type ComponentType } from "react";
import { t } from "@/lib/ground/texts/t";
import { deferred } from "./deferred";
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

/** A dialog whose script, its form's schema included, is loaded when somebody may be about to open it. */
export const deferredDialog = <Props extends Closable>(load: () => Promise<ComponentType<Props>>) =>
  deferred<Props>(load, NotLoaded);
