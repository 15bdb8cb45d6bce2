"use client";

import clsx from "clsx";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

/** What the composer offers to choose from. */
export interface ComposerOptions {
  segments: readonly { id: string; name: string }[];
  lists: readonly { id: string; name: string }[];
  topics: readonly { id: string; name: string }[];
  templates: readonly { id: string; name: string }[];
  /** Verified sender domains. */
  domains: readonly string[];
  /** The viewer's own. */
  email: string;
}

/** A step of the composer: its number becomes a tick once nothing is left to do. */
export function StepSection({
  id,
  number,
  title,
  done,
  hint,
  children,
}: {
  id: string;
  number: number;
  title: string;
  done: boolean;
  hint: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-6 gap-x-4 border-b pb-8 last:border-b-0 sm:grid-cols-[2rem_minmax(0,1fr)]"
    >
      <StepMark number={number} done={done} className="max-sm:hidden" />
      <div className="min-w-0">
        <h2 id={`${id}-title`} className="display text-xl">
          {title}
        </h2>
        <p className="mt-0.5 mb-4 text-sm text-soft">{hint}</p>
        <div className="flex flex-col gap-4">{children}</div>
      </div>
    </section>
  );
}

export function StepMark({
  number,
  done,
  className,
}: {
  number: number;
  done: boolean;
  className?: string;
}) {
  return (
    <span
      aria-hidden
      className={clsx(
        "display flex size-7 shrink-0 items-center justify-center rounded-full border text-sm transition-colors",
        done
          ? "border-success bg-success-wash text-success"
          : "border-dashed border-rule-strong text-soft",
        className,
      )}
    >
      {done ? <Check className="size-4" strokeWidth={2.5} /> : number}
    </span>
  );
}
