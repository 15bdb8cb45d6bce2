"use client";

import { useEffect } from "react";

/** How many dialogs stand above every other. */
let above = 0;

/** While `open`, a dialog stands above all others, which know nothing of it: its presses and keys are not theirs. */
export function useLayerAbove(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    above += 1;
    return () => {
      above -= 1;
    };
  }, [open]);
}

/** Handles what a dialog is asked to do, unless that was meant for one above it. */
export const unlessCovered =
  <Wanted>(handle: (wanted: Wanted) => void) =>
  (wanted: Wanted) => {
    if (above === 0) handle(wanted);
  };
