"use client";

import clsx from "clsx";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";
import type { Draft } from "./draft";

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

/** The name of the template, segment or list with this id. */
export const nameIn =
  ({ templates, segments, lists, topics }: ComposerOptions) =>
  (id: string) =>
    [...templates, ...segments, ...lists, ...topics].find((thing) => thing.id === id)?.name ?? id;

/** Whom it goes to, in words. */
export function audienceName(draft: Draft, options: ComposerOptions): string {
  const named = (things: readonly { id: string; name: string }[], id: string) =>
    things.find((thing) => thing.id === id)?.name ?? "";
  if (draft.audience === "segment") {
    return t("subscribed people in the segment “{name}”", {
      name: named(options.segments, draft.segmentId),
    });
  }
  if (draft.audience === "list") {
    return t("subscribed people on the list “{name}”", {
      name: named(options.lists, draft.listId),
    });
  }
  return t("everybody who is subscribed");
}
