"use client";

import { z } from "zod";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { confirmLink } from "@/lib/domain/own-mails/schema";
import { toLink } from "./link-target";

/** Links filled in for each person: the first in confirmations, the others in every mail. */
const ours = [
  { label: "Confirm", href: confirmLink },
  { label: "Unsubscribe", href: "{{ unsubscribeUrl }}" },
  { label: "Preferences", href: "{{ preferencesUrl }}" },
  { label: "View in browser", href: "{{ viewUrl }}" },
];

const schema = z.object({ href: z.string(), words: z.string() });

/** Asks where a link leads, and what it says where no text is selected. */
export function LinkDialog({
  href,
  needsWords,
  onSet,
  onClose,
}: {
  href: string;
  needsWords: boolean;
  /** null: the link is removed. */
  onSet: (href: string | null, words: string) => void;
  onClose: () => void;
}) {
  const form = useForm({
    initial: { href, words: "" },
    schema,
    check: (draft): Record<string, string> =>
      draft.href.trim() !== "" && toLink(draft.href) !== null
        ? {}
        : { href: "Enter a web address like https://example.com, or an email address." },
    guard: false,
    // Nothing is sent: the link goes to the caller.
    send: (link) => Promise.resolve(link),
    onSent: (link) => onSet(toLink(link.href), link.words.trim()),
  });
  return (
    <DialogForm title="Link" action="Set link" onClose={onClose} form={form}>
      <Field label="Address" name="href" error={form.fault("href")}>
        <Input {...form.text("href")} autoFocus autoComplete="off" placeholder="https://" />
      </Field>
      {needsWords && (
        <Field label="Text" name="words" optional>
          <Input {...form.text("words")} autoComplete="off" />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        {ours.map((link) => (
          <Button
            key={link.href}
            size="sm"
            onClick={() => form.set({ href: link.href, words: form.draft.words || link.label })}
          >
            {link.label}
          </Button>
        ))}
        {href !== "" && (
          <Button size="sm" variant="ghost" onClick={() => onSet(null, "")}>
            Remove the link
          </Button>
        )}
      </div>
    </DialogForm>
  );
}
