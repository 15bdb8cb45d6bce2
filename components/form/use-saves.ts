"use client";

import { useState } from "react";
import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { isStale } from "./answers";
import { conflictingFields, type Groups } from "./merge";

interface Versioned {
  /** null: it is first stored by the save. */
  updatedAt: string | null;
}

/** Where a stored thing is saved and read. */
export interface Store<Thing extends Versioned, Draft extends object, Body extends object> {
  /** The thing as it was when the writing here began. */
  saved: Thing;
  /** Takes what the server has by now: the next save is based on it. */
  onNewer: (thing: Thing) => void;
  draftOf: (thing: Thing) => Draft;
  /** What a body says about the draft's fields, where the names differ. */
  written?: (body: Body) => Partial<Draft>;
  change: (body: Body & { basedOn: Thing["updatedAt"] }) => Promise<Thing>;
  read: () => Promise<Thing>;
  groups?: Groups<Draft>;
}

const undecided = () =>
  new ApiError(
    409,
    "CONFLICT",
    t("Nothing is saved until you choose which text to keep."),
    [],
    undefined,
  );

/**
 * Saves a stored thing based on the version that is known here. Others' changes to other fields are kept;
 * changes to the same ones are shown as a conflict, and the save rejects with the server's refusal, as does every
 * other until somebody has chosen.
 */
export function useSaves<Thing extends Versioned, Draft extends object, Body extends object>(
  store: Store<Thing, Draft, Body> | null,
) {
  const [conflict, setConflict] = useState<{
    fields: readonly (keyof Draft)[];
    theirs: Thing;
  } | null>(null);
  return {
    conflict,
    save: async (body: Body): Promise<Thing> => {
      if (!store) throw new Error("Nothing has been saved yet.");
      // A restored text may contradict what is saved since: the server would not notice, it is asked with that version.
      if (conflict) throw undecided();
      const { saved, draftOf, written, change, read, groups } = store;
      try {
        return await change({ ...body, basedOn: saved.updatedAt });
      } catch (error) {
        if (!isStale(error)) throw error;
        const theirs = await read();
        const base = draftOf(saved);
        const mine = { ...base, ...(written ? written(body) : (body as Partial<Draft>)) };
        const fields = conflictingFields(base, draftOf(theirs), mine, groups);
        if (fields.length > 0) {
          setConflict({ fields, theirs });
          throw error;
        }
        return change({ ...body, basedOn: theirs.updatedAt });
      }
    },
    /** Looks for what was changed since `base` both in `mine` and in the saved version. */
    compare: (base: Draft, mine: Draft) => {
      if (!store) return;
      const { saved, draftOf, groups } = store;
      const fields = conflictingFields(base, draftOf(saved), mine, groups);
      if (fields.length > 0) setConflict({ fields, theirs: saved });
    },
    /** Somebody has chosen: the next save is based on what the server has. */
    decide: () => {
      if (conflict) store?.onNewer(conflict.theirs);
      setConflict(null);
    },
  };
}
