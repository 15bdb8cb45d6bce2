"use client";

import { z } from "zod";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { confirmLink } from "@/lib/domain/own-mails/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { toLink } from "./link-target";

/**
 * Links filled in for each person: the first in confirmations, the others in every mail, where they read `value` unless
 * a text is given.
 */
const ours = phrases([
  { label: "Confirm", value: "Confirm", href: confirmLink },
  { label: "Unsubscribe", value: "Unsubscribe", href: "{{ unsubscribeUrl }}" },
  { label: "Preferences", value: "Preferences", href: "{{ preferencesUrl }}" },
  { label: "View in browser", value: "View in browser", href: "{{ viewUrl }}" },
]);

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
        : { href: t("Enter a web address like https://example.com, or an email address.") },
    guard: false,
    // Nothing is sent: the link goes to the caller.
    send: (link) => Promise.resolve(link),
    onSent: (link) => onSet(toLink(link.href), link.words.trim()),
  });
  return (
    <DialogForm title={t("Link")} action={t("Set link")} onClose={onClose} form={form}>
      <Field label={t("Address")} name="href" error={form.fault("href")}>
        <Input {...form.text("href")} autoFocus autoComplete="off" placeholder="https://" />
      </Field>
      {needsWords && (
        <Field label={t("Text")} name="words" optional>
          <Input {...form.text("words")} autoComplete="off" />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        {ours.map((link) => (
          <Button
            key={link.href}
            size="sm"
            onClick={() => form.set({ href: link.href, words: form.draft.words || link.value })}
          >
            {link.label}
          </Button>
        ))}
        {href !== "" && (
          <Button size="sm" variant="ghost" onClick={() => onSet(null, "")}>
            {t("Remove the link")}
          </Button>
        )}
      </div>
    </DialogForm>
  );
}
