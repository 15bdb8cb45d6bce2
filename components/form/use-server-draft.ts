"use client";

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { sessionWatch } from "@/components/api/session-watch";
import { useSettled } from "@/components/api/use-settled";
import { DraftKeeper, type DraftServer, type Writing } from "./draft-keeper";
import type { KeptWriting } from "./local-draft";

const pauseMilliseconds = 1_000;
const never = () => () => undefined;
const none = { status: "nothing", offered: null } as const;

/** What a form needs of a draft that the server keeps. */
export interface ServerDraft<Draft extends object> {
  /** Text of an earlier visit, from whichever browser, until it is restored or discarded. */
  kept: KeptWriting<Draft> | null;
  status: "nothing" | "keeping" | "kept" | "failed";
  restored: () => void;
  discard: () => void;
}

/**
 * Keeps a form's unsaved text on the server whenever the typing pauses. `server` null: there is nothing saved yet that
 * the text could belong to. Later values of `server` and `initial` are ignored. `paused`: a conflict is open, until
 * which is decided nothing is kept.
 */
export function useServerDraft<Draft extends object>(
  server: DraftServer<Draft> | null,
  initial: KeptWriting<Draft> | null,
  { base, draft, fromVersion }: Writing<Draft>,
  paused: boolean,
): ServerDraft<Draft> {
  const [keeper] = useState(() => server && new DraftKeeper(server, initial, base));
  const state = useSyncExternalStore(
    keeper?.subscribe ?? never,
    keeper?.getState ?? (() => none),
    keeper?.getState ?? (() => none),
  );
  const writing = useMemo(() => ({ base, draft, fromVersion }), [base, draft, fromVersion]);
  const latest = useRef(writing);
  useEffect(() => {
    latest.current = writing;
  });
  // What was saved is a draft no longer, also for whoever closes the page at once.
  useEffect(() => {
    keeper?.pause(paused);
    keeper?.note(latest.current);
  }, [keeper, base, paused]);
  const settled = useSettled(writing, pauseMilliseconds);
  // What was being written when a conflict was decided is of the version before.
  useEffect(() => {
    if (settled === latest.current) keeper?.note(settled);
  }, [keeper, settled]);
  useEffect(() => sessionWatch.onReturn(() => keeper?.retry()), [keeper]);
  useEffect(() => () => keeper?.note(latest.current), [keeper]);
  return {
    kept: state.offered,
    status: state.status,
    restored: () => keeper?.restored(),
    discard: () => keeper?.discard(),
  };
}
