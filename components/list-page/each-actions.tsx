"use client";

import type { LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { t } from "@/lib/ground/texts/t";
import type { Thing } from "./each-dialog";
import { SelectionBar } from "./selection-bar";

export const EachDialog = deferredDialog(() =>
  import("./each-dialog").then((module) => module.EachDialog),
);

/** What can be done to each of those chosen. */
interface EachAction {
  /** Of its button. */
  label: string;
  icon: LucideIcon;
  /** Those of the chosen that it can be done to; with none of them it is not offered. */
  things: readonly Thing[];
  /** Asked first: `Delete 3 templates?`, and what is lost. */
  title: string;
  lost: ReactNode;
  action: string;
  /** Of the button that leaves everything as it is, where `Cancel` would say two things. */
  dismiss?: string;
  variant?: "danger" | "primary";
  run: (id: string) => Promise<unknown>;
  /** `3 templates deleted` */
  done: (count: number) => string;
  /** Takes it back for one of them, exactly. */
  undo?: (id: string) => Promise<unknown>;
}

/** The bar above a list whose things are acted on one after the other. */
export function EachActions({
  label,
  hint,
  chosen,
  actions,
  onDone,
  children,
}: {
  /** For screen readers: `Selected templates`. */
  label: string;
  /** What choosing is for, while nothing is chosen. */
  hint: string;
  /** How many are chosen. */
  chosen: number;
  actions: readonly EachAction[];
  onDone: () => void;
  /** Further buttons. */
  children?: ReactNode;
}) {
  /** As it was asked: the list changes while it is done. */
  const [asked, setAsked] = useState<EachAction | null>(null);
  useLoaded(EachDialog, chosen > 0);
  return (
    <SelectionBar
      label={label}
      words={chosen === 0 ? hint : t("{count, number} selected", { count: chosen })}
    >
      {chosen > 0 && (
        <>
          {children}
          {actions.map((action) => {
            const { label: name, icon: Icon, things } = action;
            if (things.length === 0) return null;
            return (
              <Button key={name} size="sm" onClick={() => setAsked(action)}>
                <Icon aria-hidden /> {name}
              </Button>
            );
          })}
        </>
      )}
      {asked && (
        <EachDialog {...asked} onDone={onDone} onClose={() => setAsked(null)}>
          {asked.lost}
        </EachDialog>
      )}
    </SelectionBar>
  );
}
