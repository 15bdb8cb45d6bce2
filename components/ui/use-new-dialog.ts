"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { setInAddress } from "./address";

const parameter = "new";

/** The address of a page with its dialog that makes something open: `contacts?new`. */
export const withNew = (page: string) => `${page}?${parameter}`;

/**
 * Whether the dialog behind a page's button is open. `?new` in the address opens it and is taken out once it is closed,
 * so that neither a reload nor going back asks again. `answers`: false where another button on the page does it.
 */
export function useNewDialog(answers = true): [open: boolean, setOpen: (open: boolean) => void] {
  const asked = useSearchParams().has(parameter) && answers;
  const [wasAsked, setWasAsked] = useState(false);
  const [open, setOpen] = useState(false);
  if (asked !== wasAsked) {
    setWasAsked(asked);
    setOpen(asked);
  }
  return [
    open,
    (next) => {
      setOpen(next);
      if (!next) setInAddress(parameter, null);
    },
  ];
}
