"use client";

import { Field as BaseField } from "@base-ui/react/field";
import { Braces } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { MediaPicker } from "@/components/media/media-picker";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Menu, MenuGroup, MenuItem } from "@/components/ui/menu";
import { faultPlace, indexAt } from "./place";

const placeholders = [
  { label: "First name", text: "{{ firstName | default: 'there' }}" },
  { label: "Last name", text: "{{ lastName }}" },
  { label: "Email address", text: "{{ email }}" },
  { label: "Custom attribute", text: "{{ data.plan }}" },
];
const pieces = [
  { label: "If … else", text: "{% if plan == 'pro' %}\n  \n{% else %}\n  \n{% endif %}" },
  { label: "For each item", text: "{% for item in items %}\n  {{ item.name }}\n{% endfor %}" },
];

/** HTML with Liquid: numbered lines, indents kept, placeholders from a menu, the way to a fault. */
export function SourceEditor({
  value,
  onChange,
  error,
  disabled,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | null;
  disabled: boolean;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const [picking, setPicking] = useState(false);
  const place = faultPlace(error);
  const lines = value.split("\n").length;

  // execCommand is the one way that keeps the browser's own undo.
  const insert = (text: string) => {
    const box = area.current;
    if (!box) return;
    box.focus();
    if (!document.execCommand("insertText", false, text)) {
      onChange(value.slice(0, box.selectionStart) + text + value.slice(box.selectionEnd));
    }
  };
  const keepIndent = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const { selectionStart } = event.currentTarget;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (!indent) return;
    event.preventDefault();
    insert(`\n${indent}`);
  };
  const show = () => {
    const box = area.current;
    if (!box || !place) return;
    const at = indexAt(value, place);
    box.focus();
    box.setSelectionRange(at, Math.min(value.length, at + 2));
    box.scrollTop = (place.line - 4) * lineHeight;
  };
  return (
    <div className="relative">
      {!disabled && (
        <div className="absolute -top-1.5 right-0 z-10">
          <Menu
            trigger={
              <Button size="sm" variant="ghost">
                <Braces aria-hidden /> Insert
              </Button>
            }
            className="w-64"
          >
            <MenuGroup label="Placeholders">
              {placeholders.map(({ label, text }) => (
                <MenuItem key={label} onClick={() => setTimeout(() => insert(text))}>
                  <span className="flex-1">{label}</span>
                </MenuItem>
              ))}
            </MenuGroup>
            <MenuGroup label="Media">
              <MenuItem onClick={() => setPicking(true)}>Picture…</MenuItem>
            </MenuGroup>
            <MenuGroup label="Liquid">
              {pieces.map(({ label, text }) => (
                <MenuItem key={label} onClick={() => setTimeout(() => insert(text))}>
                  {label}
                </MenuItem>
              ))}
            </MenuGroup>
          </Menu>
        </div>
      )}
      <Field label="HTML" name="body" error={error} className="gap-2!">
        <div
          className={`flex h-[32rem] overflow-hidden rounded-md border bg-sheet focus-within:outline-2 focus-within:outline-accent ${error ? "border-l-4 border-danger" : "border-control"}`}
        >
          <div
            ref={gutter}
            aria-hidden
            className="w-11 shrink-0 overflow-hidden border-r bg-sunken py-2 pr-2 text-right font-mono text-xs leading-5 text-faint select-none"
          >
            {Array.from({ length: lines }, (_, at) => (
              <div
                key={at}
                className={place?.line === at + 1 ? "font-semibold text-danger" : undefined}
              >
                {at + 1}
              </div>
            ))}
            <div className="h-8" />
          </div>
          <BaseField.Control
            render={
              <textarea
                ref={area}
                value={value}
                wrap="off"
                spellCheck={false}
                autoComplete="off"
                autoCapitalize="none"
                readOnly={disabled}
                onChange={({ target }) => onChange(target.value)}
                onKeyDown={keepIndent}
                onScroll={({ currentTarget }) => {
                  if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop;
                }}
                className="min-w-0 flex-1 resize-none overflow-auto bg-transparent px-3 py-2 font-mono text-xs leading-5 [font-variant-ligatures:none] outline-none [tab-size:2] max-sm:text-base"
              />
            }
          />
        </div>
      </Field>
      {picking && (
        <MediaPicker
          onClose={() => setPicking(false)}
          onChoose={(html) => {
            setPicking(false);
            // Once the dialog has given the focus back.
            setTimeout(() => insert(html));
          }}
        />
      )}
      {place && (
        <Button size="sm" className="mt-2" onClick={show}>
          Go to line {place.line}
        </Button>
      )}
    </div>
  );
}

/** `leading-5` in pixels. */
const lineHeight = 20;
