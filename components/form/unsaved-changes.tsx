"use client";

import { Conflict } from "./conflict";
import { covers, type KeptWriting } from "./local-draft";
import { KeptWritingOffer } from "./local-draft-offer";
import { useKeptWriting } from "./use-local-draft";
import type { ServerDraft } from "./use-server-draft";
import type { useSaves } from "./use-saves";

interface VersionedForm<Draft> {
  base: Draft;
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  receive: (theirs: Draft) => void;
}

/**
 * What has to be decided before a form can be saved: text that an earlier visit left in this browser, and
 * what was changed here and elsewhere at once. `keptAs` null: nothing is kept.
 */
export function Unsettled<Thing extends { updatedAt: string | null }, Draft extends object>({
  form,
  saves,
  server,
  draftOf,
  keptAs,
  label,
  tell,
}: {
  form: VersionedForm<Draft>;
  saves: Pick<ReturnType<typeof useSaves<Thing, Draft, object>>, "conflict" | "compare" | "decide">;
  /** What the server keeps of the text, if it does. */
  server?: ServerDraft<Draft>;
  draftOf: (thing: Thing) => Draft;
  /** What the text is kept under: the thing's id. */
  keptAs: string | null;
  label: (field: keyof Draft) => string;
  /** A field's value as a text. */
  tell: (draft: Draft, field: keyof Draft) => string;
}) {
  const { conflict, compare, decide } = saves;
  const local = useKeptWriting(keptAs, form.base, form.draft, conflict !== null);
  const isDraft = Boolean(server?.kept && server.kept.at >= (local.kept?.at ?? ""));
  const kept = isDraft ? server?.kept : local.kept;
  // The other one is offered next if it says something else: nobody has seen it yet.
  const settles = (one: KeptWriting<Draft> | null | undefined) =>
    Boolean(kept && one && covers(kept, one));
  const theirs = conflict && draftOf(conflict.theirs);
  // Whole groups, so also what only one side has changed.
  const choose = (chosen: Draft) => {
    if (!conflict || !theirs) return;
    const part: Partial<Draft> = {};
    for (const field of conflict.fields) part[field] = chosen[field];
    form.receive(theirs);
    form.set(part);
    decide();
  };
  return (
    <>
      {/* A second text would bring differences of its own before the first ones are decided. */}
      {kept && !conflict && (
        <KeptWritingOffer
          at={kept.at}
          isDraft={isDraft}
          onRestore={() => {
            const before = { ...form.base, ...kept.base };
            compare(before, { ...before, ...kept.mine });
            form.set(kept.mine);
            if (settles(local.kept)) local.restored();
            if (settles(server?.kept)) server?.restored();
          }}
          onDiscard={() => {
            if (settles(local.kept)) local.settle();
            if (settles(server?.kept)) server?.discard();
          }}
        />
      )}
      {conflict && theirs && (
        <Conflict
          differences={conflict.fields.map((field) => ({
            label: label(field),
            mine: tell(form.draft, field),
            theirs: tell(theirs, field),
          }))}
          onKeepMine={() => choose(form.draft)}
          onTakeTheirs={() => choose(theirs)}
        />
      )}
    </>
  );
}
