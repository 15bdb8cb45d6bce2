"use client";

import { useState } from "react";
import { isStale } from "./answers";
import { conflictingFields, type Groups } from "./merge";

interface Versioned {
  updatedAt: string;
}

/** Where a stored thing is saved and read. */
export interface Store<Thing extends Versioned, Draft extends object, Body extends object> {
  /** The thing as it was when the writing here began. */
  saved: Thing;
  /** What the server has by now is what the next save is based on. */
  onNewer: (thing: Thing) => void;
  draftOf: (thing: Thing) => Draft;
  /** What a body says of the draft's fields, where their names are not the same. */
  written?: (body: Body) => Partial<Draft>;
  change: (body: Body & { basedOn: string }) => Promise<Thing>;
  read: () => Promise<Thing>;
  groups?: Groups<Draft>;
}

/**
 * Saves a stored thing based on the version that is known here. Others' changes of other fields are taken
 * along; of the same ones, they are a conflict that is shown, and the save rejects with the server's refusal.
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
    /** Looks for what was changed since `base` both in `mine` and in what is saved. */
    compare: (base: Draft, mine: Draft) => {
      if (!store) return;
      const { saved, draftOf, groups } = store;
      const fields = conflictingFields(base, draftOf(saved), mine, groups);
      if (fields.length > 0) setConflict({ fields, theirs: saved });
    },
    /** Somebody chose: what the server has is what the next save is based on. */
    decide: () => {
      if (conflict) store?.onNewer(conflict.theirs);
      setConflict(null);
    },
  };
}
