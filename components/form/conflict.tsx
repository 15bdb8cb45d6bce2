"use client";

import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { t } from "@/lib/ground/texts/t";

/** One field that was changed here and elsewhere, as texts. */
export interface Difference {
  label: string;
  mine: string;
  theirs: string;
}

/** Both texts of what was changed here and elsewhere at once, and the two ways out. */
export function Conflict({
  differences,
  onKeepMine,
  onTakeTheirs,
}: {
  differences: readonly Difference[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  const section = useRef<HTMLElement>(null);
  // Somebody writing further down would not see why nothing is saved any more.
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section ref={section} aria-label={t("Conflicting changes")} className="mb-6 scroll-mt-6">
      <Callout
        kind="warning"
        alert
        title={t("This was also changed in another tab or by somebody else")}
      >
        {t("Nothing is saved until you choose which text to keep.")}
      </Callout>
      {differences.map(({ label, mine, theirs }) => (
        <div key={label} className="mt-4">
          <h2 className="mb-1.5 text-sm font-medium">{label}</h2>
          <div className="grid gap-3 md:grid-cols-2">
            <Version title={t("Yours")} text={mine} />
            <Version title={t("Theirs")} text={theirs} />
          </div>
        </div>
      ))}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="primary" onClick={onKeepMine}>
          {t("Keep mine")}
        </Button>
        <Button onClick={onTakeTheirs}>{t("Take theirs")}</Button>
      </div>
    </section>
  );
}

function Version({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <p className="eyebrow mb-1">{title}</p>
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-56 overflow-auto rounded-md border bg-sheet px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text || t("(empty)")}
      </pre>
    </div>
  );
}
