"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

/** A filter that another page set and that has no field of its own: what it is, and the button that takes it off. */
export function FilterChip({
  label,
  onRemove,
  children,
}: {
  /** What happens without it, for screen readers: said after what is shown, by which voice control presses it. */
  label: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <Button onClick={onRemove} className="col-span-2 max-w-full min-w-0 justify-self-start">
      <span className="truncate">{children}</span>
      <span className="sr-only">: {label}</span>
      <X aria-hidden />
    </Button>
  );
}
