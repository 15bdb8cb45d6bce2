"use client";

import clsx from "clsx";
import { Check, ChevronDown, ChevronUp } from "lucide-react";
import { useState } from "react";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { IconButton, LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Tabs } from "@/components/ui/tabs";
import type { Overview } from "@/lib/domain/overview/schema";
import { t } from "@/lib/ground/texts/t";
import { applicationSteps, campaignSteps, type SetUpAction, type SetUpStep } from "./set-up-steps";
import { begunWay, keepSetUpView, ways, type SetUpView, type Way } from "./set-up-view";

/**
 * What is left to do before the first real send, for those who write and for those who program: both side by side
 * until one is begun or chosen.
 */
export function SetUp({ setUp, view }: { setUp: Overview["setUp"]; view: SetUpView }) {
  const { appUrl, capturing } = useProject();
  const path = useProjectPath();
  const [shown, setShown] = useState(view);
  // What they began is unfolded when they come, and stays so while they are here.
  const [begun] = useState(() => begunWay(setUp));
  const way = shown.way ?? begun;
  const show = (change: Partial<SetUpView>) => {
    const next = { ...shown, ...change };
    setShown(next);
    keepSetUpView(next, path());
  };
  const place = { setUp, appUrl, capturing, path };
  const steps = { campaigns: campaignSteps(place), application: applicationSteps(place) };
  const names = { campaigns: t("Send campaigns"), application: t("Send from your application") };
  const done = way ? steps[way].filter((step) => step.done).length : 0;
  return (
    <section
      aria-labelledby="set-up"
      className="rounded-lg border border-rule-strong bg-sheet shadow-press"
    >
      <div className="flex items-center gap-3 py-2.5 pr-2.5 pl-5">
        <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id="set-up" className="display text-xl">
            {way ? titleOf(way, steps[way].length - done) : t("Two ways to your first email")}
          </h2>
          {way && done > 0 && (
            <p className="text-sm text-faint">
              {t("{done} of {steps} done", { done, steps: steps[way].length })}
            </p>
          )}
        </div>
        <IconButton
          label={shown.folded ? t("Show the steps") : t("Fold the steps away")}
          size="sm"
          aria-expanded={!shown.folded}
          onClick={() => show({ folded: !shown.folded })}
        >
          {shown.folded ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
      </div>
      {!shown.folded && way && (
        <div className="border-t px-5 pt-1 pb-3.5">
          <Tabs
            label={t("What do you want to send?")}
            value={way}
            onChange={(next) => show({ way: next as Way })}
            tabs={ways.map((each) => ({
              value: each,
              label: names[each],
              content: <Steps steps={steps[each]} />,
            }))}
          />
        </div>
      )}
      {!shown.folded && !way && (
        // A command needs more room than a sentence.
        <div className="grid gap-x-6 gap-y-5 border-t px-5 pt-3 pb-3.5 lg:grid-cols-[2fr_3fr]">
          {ways.map((each) => (
            <div key={each} role="group" aria-labelledby={`set-up-${each}`} className="min-w-0">
              <h3 id={`set-up-${each}`} className="mb-1.5 text-sm font-medium">
                {names[each]}
              </h3>
              <Steps steps={steps[each]} />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

const titleOf = (way: Way, open: number) =>
  way === "campaigns"
    ? t("{open, plural, one {One step} other {# steps}} to your first campaign", { open })
    : t("{open, plural, one {One step} other {# steps}} to your first real email", { open });

function Steps({ steps }: { steps: readonly SetUpStep[] }) {
  const current = steps.find(({ done }) => !done);
  return (
    <ol className="flex flex-col gap-1.5">
      {steps.map((step, index) => (
        <li
          key={step.title}
          aria-current={step === current ? "step" : undefined}
          className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 text-sm"
        >
          <Mark step={step} number={index + 1} current={step === current} />
          {step === current ? <Current step={step} /> : <Other step={step} />}
        </li>
      ))}
    </ol>
  );
}

function Mark({ step, number, current }: { step: SetUpStep; number: number; current: boolean }) {
  if (step.done) {
    return (
      <span className="flex h-6 items-center justify-center text-success">
        <Check className="size-4" role="img" aria-label={t("Done")} />
      </span>
    );
  }
  return (
    <span
      aria-hidden
      className={clsx(
        "mt-0.5 flex size-5 items-center justify-center rounded-full border text-xs",
        current ? "border-accent bg-accent text-on-accent" : "border-control text-faint",
      )}
    >
      {number}
    </span>
  );
}

/** Those actions that the reader may do. */
function useActions({ actions }: SetUpStep): readonly SetUpAction[] {
  const may = { viewer: true, editor: useMay("editor"), admin: useMay("admin") };
  return actions.filter(({ least }) => may[least]);
}

function Current({ step }: { step: SetUpStep }) {
  const path = useProjectPath();
  const actions = useActions(step);
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2 pb-1.5">
      <div className="min-w-0 grow basis-80">
        <p className="leading-6 font-semibold">{step.title}</p>
        <div className="text-soft">{step.body}</div>
        {step.actions.length > 0 && actions.length === 0 && (
          <p className="text-faint">
            {step.actions[0]?.least === "admin"
              ? t("An admin of this project can do this.")
              : t("An editor of this project can do this.")}
          </p>
        )}
      </div>
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {actions.map(({ label, page }, index) => (
            <LinkButton
              key={page}
              href={path(page)}
              size="sm"
              variant={index === 0 ? "primary" : "secondary"}
            >
              {label}
            </LinkButton>
          ))}
        </div>
      )}
    </div>
  );
}

/** One that is done, or that waits for those before it, and can be gone to all the same. */
function Other({ step }: { step: SetUpStep }) {
  const path = useProjectPath();
  const [first] = useActions(step);
  if (step.done || !first) return <p className="leading-6 text-soft">{step.title}</p>;
  return (
    <p className="leading-6">
      <Link href={path(first.page)} className="underline-offset-4 hover:underline">
        {step.title}
      </Link>
    </p>
  );
}
