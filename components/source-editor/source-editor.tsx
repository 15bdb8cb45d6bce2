"use client";

import { Braces } from "lucide-react";
import { escapeHtml } from "@/lib/ground/escape-html";
import dynamic from "next/dynamic";
import { useEffect, useId, useState } from "react";
import { MediaPicker } from "@/components/media/media-picker";
import { Button } from "@/components/ui/button";
import { Menu, MenuGroup, MenuItem } from "@/components/ui/menu";
import { phrases, t } from "@/lib/ground/texts/t";
import { confirmLink } from "@/lib/domain/own-mails/schema";
import { placeholderSource } from "@/lib/mail/design/liquid-parts";
import { listMailFields, useContactFields } from "./use-contact-fields";
import { faultPlace, type Place } from "./place";
import { useLoadedEditor } from "./use-loaded-editor";

const CodeEditor = dynamic(() => import("./code-editor"), { ssr: false });

const elements = phrases([
  { label: "Link", value: '<a href="https://example.com/">Read more</a>' },
  {
    label: "Button",
    value:
      '<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td bgcolor="#b52f15" style="border-radius:4px;mso-padding-alt:14px 26px"><a href="https://example.com/" style="display:inline-block;padding:14px 26px;font:bold 16px/20px Arial,sans-serif;color:#ffffff;text-decoration:none">Read more</a></td></tr></table>',
  },
  { label: "Unsubscribe link", value: '<a href="{{ unsubscribeUrl }}">Unsubscribe</a>' },
  { label: "Preferences link", value: '<a href="{{ preferencesUrl }}">Preferences</a>' },
]);
const pieces = phrases([
  { label: "If … else", value: "{% if plan == 'pro' %}\n  \n{% else %}\n  \n{% endif %}" },
  { label: "For each item", value: "{% for item in items %}\n  {{ item.name }}\n{% endfor %}" },
]);

/** HTML with Liquid: the code editor, placeholders and pictures from a menu, a jump to a fault. */
export function SourceEditor({
  value,
  onChange,
  error,
  disabled,
  goTo = null,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | null;
  disabled: boolean;
  /** Scrolled to and selected; each time it is another object. */
  goTo?: Place | null;
}) {
  const id = useId();
  const fields = useContactFields();
  const editor = useLoadedEditor();
  const [picking, setPicking] = useState(false);
  const place = faultPlace(error);
  const { ask } = editor;
  useEffect(() => {
    if (goTo) ask(({ goTo: go }) => go(goTo));
  }, [ask, goTo]);
  // Once the menu or the dialog has given the focus back.
  const insertLater = (text: string) => setTimeout(() => ask(({ insert }) => insert(text)));
  return (
    <div className="relative">
      {!disabled && (
        <div className="absolute -top-1.5 right-0 z-10">
          <Menu
            trigger={
              <Button size="sm" variant="ghost">
                <Braces aria-hidden /> {t("Insert")}
              </Button>
            }
            className="max-h-[70vh] w-64 overflow-y-auto"
          >
            <MenuGroup label={t("Placeholders")}>
              {fields.map(({ name, label, fallback }) => (
                <MenuItem key={name} onClick={() => insertLater(placeholderSource(name, fallback))}>
                  <span className="flex-1 truncate">{label}</span>
                </MenuItem>
              ))}
            </MenuGroup>
            <MenuGroup label={t("In a list’s or form’s own emails")}>
              {listMailFields().map(({ name, label, fallback }) => (
                <MenuItem key={name} onClick={() => insertLater(placeholderSource(name, fallback))}>
                  <span className="flex-1 truncate">{label}</span>
                </MenuItem>
              ))}
              <MenuItem onClick={() => insertLater(`<a href="${confirmLink}">Confirm</a>`)}>
                {t("Link that confirms")}
              </MenuItem>
            </MenuGroup>
            <MenuGroup label="HTML">
              {elements.map(({ label, value: text }) => (
                <MenuItem key={text} onClick={() => insertLater(text)}>
                  {label}
                </MenuItem>
              ))}
            </MenuGroup>
            <MenuGroup label={t("Media")}>
              <MenuItem onClick={() => setPicking(true)}>{t("Picture…")}</MenuItem>
            </MenuGroup>
            <MenuGroup label="Liquid">
              {pieces.map(({ label, value: text }) => (
                <MenuItem key={text} onClick={() => insertLater(text)}>
                  {label}
                </MenuItem>
              ))}
            </MenuGroup>
          </Menu>
        </div>
      )}
      <div className="flex flex-col gap-2">
        <span id={`${id}-label`} className="text-sm font-medium">
          HTML
        </span>
        <div
          className={`h-[32rem] overflow-hidden rounded-md border bg-sheet focus-within:outline-2 focus-within:outline-accent ${error ? "border-l-4 border-danger" : "border-control"}`}
        >
          <CodeEditor
            value={value}
            onChange={onChange}
            onReady={editor.onReady}
            labelledBy={`${id}-label`}
            describedBy={error ? `${id}-error` : undefined}
            fault={place}
            readOnly={disabled}
          />
        </div>
        {error && (
          <p id={`${id}-error`} className="text-sm text-danger">
            {error}
          </p>
        )}
      </div>
      {picking && (
        <MediaPicker
          onClose={() => setPicking(false)}
          onChoose={({ url, alt }) => {
            setPicking(false);
            insertLater(
              `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" style="max-width: 100%; height: auto">`,
            );
          }}
        />
      )}
      {place && (
        <Button size="sm" className="mt-2" onClick={() => ask(({ goTo: go }) => go(place))}>
          {t("Go to line {line}", { line: place.line })}
        </Button>
      )}
    </div>
  );
}
