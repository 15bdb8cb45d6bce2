"use client";

import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
} from "react";
import type { z } from "zod";
import { t } from "@/lib/ground/texts/t";
import { useLoaded } from "@/components/ui/deferred";
import { merged } from "./merge";
import { submitByKeys } from "./submit-by-keys";
import { changedFields, changedPart } from "./changed";
import {
  faultElsewhere,
  faultsOfAnswer,
  faultsOfSchema,
  faultWithin,
  withoutFaults,
  type Faults,
} from "./faults";
import { isLazy, schemaNow, type SchemaSource } from "./lazy-schema";
import { useAction } from "./use-action";
import { textOf, useUnsentText } from "./unsent-text";
import { useUnsaved } from "./use-unsaved";

/** What a form element and a dialog need from a form. */
export interface FormHandle {
  dirty: boolean;
  pending: boolean;
  /** What is wrong with the form as a whole; faults in fields are shown at the fields. */
  whole: string | null;
  props: {
    ref: (form: HTMLFormElement | null) => void;
    noValidate: true;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void;
  };
}

export interface Form<Draft extends object> extends FormHandle {
  draft: Draft;
  /** What is saved, or what the form began with. */
  base: Draft;
  set: (part: Partial<Draft>) => void;
  /** Takes `draft` as saved. What was typed while it was being sent stays, unsaved. */
  rebase: (draft: Draft) => void;
  /** Takes what the server has by now as saved; what was changed here stays, unsaved. */
  receive: (theirs: Draft) => void;
  /** Back to what is saved. */
  discard: () => void;
  /** The sentence for one place. */
  fault: (place: string) => string | null;
  /** The first sentence for a field or anything inside it. */
  faultWithin: (field: string) => string | null;
  /** Value and handler of a text field. */
  text: <Name extends TextField<Draft>>(
    name: Name,
  ) => {
    value: string;
    onChange: (event: { target: { value: string } }) => void;
  };
}

type TextField<Draft> = {
  [Name in keyof Draft]-?: Draft[Name] extends string ? Name : never;
}[keyof Draft] &
  string;

/** The text fields of a form that differ from `draft`, by name. */
function typedEarly<Draft extends object>(form: HTMLFormElement | null, draft: Draft) {
  const fields = form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=hidden], [aria-hidden]), textarea",
  );
  return Object.fromEntries(
    [...(fields ?? [])]
      .filter(({ name, value }) => {
        const said = (draft as Record<string, unknown>)[name];
        return typeof said === "string" && said !== value;
      })
      .map(({ name, value }) => [name, value]),
  ) as Partial<Draft>;
}

const loadsNothing = { load: () => Promise.resolve() };

/**
 * A form over a resource's own schema: holds what is written, checks it before it is sent, puts the
 * schema's and the server's faults at their fields, sends once per press and guards what is unsaved.
 */
export function useForm<Draft extends object, Schema extends z.ZodType, Answer>({
  initial,
  schema,
  input = (draft) => draft,
  check,
  places,
  send,
  onSent,
  onUnchanged,
  leaves = false,
  guard = true,
}: {
  /** What the form begins with; later values are ignored. */
  initial: Draft | (() => Draft);
  schema: SchemaSource<Schema>;
  /** What is checked and sent; absent: the draft itself. */
  input?: (draft: Draft, base: Draft) => unknown;
  /** Faults that the schema does not know, or words less well. */
  check?: (draft: Draft) => Faults;
  /** Fields that can show a fault, where they are not the draft's. */
  places?: readonly string[] | ((draft: Draft) => readonly string[]);
  send: (input: z.output<Schema>) => Promise<Answer>;
  onSent?: (answer: Answer, input: z.output<Schema>) => unknown;
  /** Instead of sending, when nothing was changed. */
  onUnchanged?: () => void;
  /** The form is left on success: nothing is sent twice. */
  leaves?: boolean;
  /** Ask before the page is left with something unsaved. */
  guard?: boolean;
}): Form<Draft> {
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(base);
  const [faults, setFaults] = useState<Faults>({});
  const [whole, setWhole] = useState<string | null>(null);
  const refused = useRef<HTMLFormElement>(null);
  const beingSent = useRef<Draft>(null);
  const awaited = useRef(false);
  const fields = typeof places === "function" ? places(draft) : (places ?? Object.keys(base));
  const action = useAction({
    mutationFn: send,
    leaves,
    onSuccess: async (received, sent) => {
      setFaults({});
      setWhole(null);
      await onSent?.(received, sent);
    },
    onError: (error) => {
      const refusal = faultsOfAnswer(error, fields);
      setFaults(refusal.faults);
      setWhole(refusal.whole);
    },
    onSettled: () => {
      beingSent.current = null;
    },
  });
  const pending = action.isPending;
  const dirty = changedFields(base, draft).length > 0;
  useLoaded(isLazy(schema) ? schema : loadsNothing, isLazy(schema));
  useUnsaved(guard && dirty && !pending);
  useUnsentText(guard && dirty ? () => textOf(base, draft) : null);
  // What was typed, or filled in by the browser, before the page's scripts ran.
  const adopt = useCallback(
    (form: HTMLFormElement | null) => {
      const typed = typedEarly(form, base);
      if (Object.keys(typed).length > 0) setDraft((before) => ({ ...before, ...typed }));
    },
    // Only once: later the fields show the draft.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [],
  );
  // A refused form leads to its first fault; a form that nobody sent leaves the focus where it is.
  useEffect(() => {
    const form = refused.current;
    if (!form || Object.keys(faults).length === 0) return;
    refused.current = null;
    form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [faults]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog's events reach the form it was opened from, wherever it stands in the page.
    event.stopPropagation();
    if (pending || awaited.current) return;
    if (onUnchanged && !dirty) {
      onUnchanged();
      return;
    }
    refused.current = event.currentTarget;
    const known = schemaNow(schema);
    if (known) {
      sendChecked(known);
      return;
    }
    if (!isLazy(schema)) return;
    awaited.current = true;
    schema
      .load()
      .then(sendChecked, () =>
        setWhole(t("This could not be sent. Reload the page, then try again.")),
      )
      .finally(() => (awaited.current = false));
  };
  const sendChecked = (known: Schema) => {
    const checked = known.safeParse(input(draft, base));
    const wrong = {
      ...(checked.success ? {} : faultsOfSchema(checked.error)),
      ...check?.(draft),
    };
    setFaults(wrong);
    setWhole(faultElsewhere(wrong, fields));
    if (!checked.success || Object.keys(wrong).length > 0) return;
    beingSent.current = draft;
    action.mutate(checked.data);
  };
  return {
    draft,
    base,
    dirty,
    pending,
    whole,
    set: (part) => {
      setDraft((before) => ({ ...before, ...part }));
      setFaults((before) => withoutFaults(before, Object.keys(part)));
      setWhole(null);
    },
    rebase: (saved) => {
      const sent = beingSent.current;
      setBase(saved);
      setDraft((now) => (sent ? { ...saved, ...changedPart(sent, now) } : saved));
    },
    receive: (theirs) => {
      setBase(theirs);
      setDraft((now) => merged(base, theirs, now));
      setFaults({});
      setWhole(null);
    },
    discard: () => {
      setDraft(base);
      setFaults({});
      setWhole(null);
    },
    fault: (place) => faults[place] ?? null,
    faultWithin: (field) => faultWithin(faults, field),
    text: (name) => ({
      value: draft[name] as string,
      onChange: ({ target }) => {
        setDraft((before) => ({ ...before, [name]: target.value }));
        setFaults((before) => withoutFaults(before, [name]));
        setWhole(null);
      },
    }),
    props: { ref: adopt, noValidate: true, onSubmit: submit, onKeyDown: submitByKeys },
  };
}
