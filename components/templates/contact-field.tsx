"use client";

import { useEffect, useRef } from "react";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { Field } from "@/components/ui/field";
import { SuggestInput } from "@/components/ui/suggest-input";

export interface ChosenContact {
  id: string;
  email: string;
}

/** Finds a contact by what is typed; a whole address needs no choice. */
export function ContactField({
  label,
  hint,
  error = null,
  name,
  typed,
  onType,
  onChoose,
}: {
  label: string;
  hint: string;
  error?: string | null;
  name?: string;
  typed: string;
  /** Also called with the address of whoever is chosen. */
  onType: (typed: string) => void;
  onChoose: (contact: ChosenContact) => void;
}) {
  const search = useSettled(typed.trim());
  const { data } = useRead("GET /v1/contacts", { query: { search, limit: 8 } });
  const contacts = data?.data ?? [];
  const address = typed.trim().toLowerCase();
  const exact = contacts.find(({ email }) => email.toLowerCase() === address);
  /** Since somebody was chosen last. */
  const isTyping = useRef(false);
  useEffect(() => {
    if (!exact || !isTyping.current) return;
    isTyping.current = false;
    onChoose({ id: exact.id, email: exact.email });
    // A new `onChoose` alone is no reason to choose again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [exact?.id, typed]);
  return (
    <Field label={label} hint={hint} error={error} {...(name === undefined ? {} : { name })}>
      <SuggestInput
        value={typed}
        placeholder="ada@example.com"
        suggestions={contacts.map(({ email }) => email)}
        onChange={(next) => {
          isTyping.current = true;
          onType(next);
        }}
        onChoose={(email) => {
          isTyping.current = false;
          onType(email);
          const chosen = contacts.find((contact) => contact.email === email);
          if (chosen) onChoose({ id: chosen.id, email });
        }}
      />
    </Field>
  );
}
