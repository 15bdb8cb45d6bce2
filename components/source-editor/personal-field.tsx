"use client";

import { useRef, type ComponentProps } from "react";
import { Field, Input } from "@/components/ui/field";
import { placeholderSource } from "@/lib/mail/design/liquid-parts";
import { insertionRange } from "./insertion-range";
import { PersonaliseMenu } from "./personalise-menu";

/** A line of a mail's own text, such as its subject, with the menu of placeholders beside its label. */
export function PersonalField({
  listMails = false,
  input,
  ...field
}: Omit<ComponentProps<typeof Field>, "children" | "action"> & {
  /** The mail may be one that a list or form writes itself. */
  listMails?: boolean;
  input: Omit<ComponentProps<typeof Input>, "ref" | "onFocus" | "autoComplete">;
}) {
  const own = useRef<HTMLInputElement>(null);
  // Before anybody was in a field, browsers disagree on where its caret is.
  const wasEntered = useRef(false);
  const insert = (text: string) => {
    const box = own.current;
    if (!box) return;
    const { selectionStart, selectionEnd, value } = box;
    const selection =
      wasEntered.current && selectionStart !== null && selectionEnd !== null
        ? ([selectionStart, selectionEnd] as const)
        : null;
    box.focus();
    box.setSelectionRange(...insertionRange(value.length, selection));
    // As if it had been typed: Ctrl Z takes it back, which nothing else can offer.
    document.execCommand("insertText", false, text);
  };
  return (
    <Field
      {...field}
      action={
        !input.readOnly && (
          <PersonaliseMenu
            of={field.label}
            listMails={listMails}
            align="end"
            // As high as the label's line, and its words end where the field does.
            className="-my-1.5 -mr-2.5"
            onChoose={(name, fallback) => insert(placeholderSource(name, fallback))}
          />
        )
      }
    >
      <Input
        {...input}
        ref={own}
        autoComplete="off"
        onFocus={() => {
          wasEntered.current = true;
        }}
      />
    </Field>
  );
}
