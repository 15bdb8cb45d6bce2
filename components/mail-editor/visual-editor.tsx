"use client";

import { useEffect, useState } from "react";
import { Callout } from "@/components/ui/callout";
import { Tabs } from "@/components/ui/tabs";
import type { Place } from "@/components/source-editor/place";
import { contrast, mixed } from "@/lib/mail/design/colours";
import { fontStack } from "@/lib/mail/design/render-text";
import type { EmailDesign, Theme } from "@/lib/mail/design/schema";
// In this order: what is selected on the canvas is outlined over what a block looks like.
import { t } from "@/lib/ground/texts/t";
import "./canvas-blocks.css";
import "./canvas.css";
import { designFault, languageOf, themeOf } from "./document";
import { linkAt, setLink } from "./commands";
import { selectExcerpt } from "./find-excerpt";
import { followed } from "./followed";
import { LinkDialog } from "./link-dialog";
import { BlockPanel } from "./block-panel";
import { Palette } from "./palette";
import { ThemePanel } from "./theme-panel";
import { Toolbar } from "./toolbar";
import { useEditor } from "./use-editor";

/** The theme as the canvas's own properties: its content looks as it will in the mail. */
const propertiesOf = (theme: Theme) =>
  ({
    "--mail-ground": theme.background,
    "--mail-sheet": theme.sheet,
    "--mail-ink": theme.text,
    "--mail-accent": theme.accent,
    "--mail-link": contrast(theme.accent, theme.sheet) >= 4.5 ? theme.accent : theme.text,
    "--mail-on-accent": theme.onAccent,
    "--mail-rule": mixed(theme.text, theme.sheet, 0.8),
    "--mail-hint": mixed(theme.text, theme.sheet, 0.35),
    "--mail-font": fontStack(theme.font),
    "--mail-heading-font": fontStack(theme.headingFont),
    "--mail-radius": `${theme.radius}px`,
    "--mail-width": `${theme.width}px`,
  }) as React.CSSProperties;

/** The canvas with the blocks to add on one side and what can be set on the other. */
export default function VisualEditor({
  design,
  onChange,
  readOnly,
  onImportHtml,
  label,
  goTo,
  onLost,
}: {
  design: object;
  onChange: (design: EmailDesign) => void;
  readOnly: boolean;
  /** For a design that cannot be shown: starts over from its HTML. */
  onImportHtml: () => void;
  /** Names the canvas. */
  label: string;
  /** Of the email's HTML: what it comes from is selected. */
  goTo: Place | null;
  /** It comes from nothing on the canvas. */
  onLost: () => void;
}) {
  const [linking, setLinking] = useState(false);
  const editor = useEditor({
    design,
    onChange,
    readOnly,
    label,
    onLink: () => setLinking(true),
  });
  const [panel, setPanel] = useState("block");
  const { run: follow, focus } = editor ?? {};
  useEffect(() => {
    if (!follow || !goTo?.excerpt || followed.has(goTo)) return;
    followed.add(goTo);
    // ProseMirror scrolls to a selection of its own alone.
    focus?.();
    if (!follow(selectExcerpt(goTo.excerpt))) onLost();
  }, [follow, focus, goTo, onLost]);
  if (!editor) {
    return (
      <Callout kind="warning" title={t("This email cannot be shown in the visual editor")}>
        {t("It was made with a newer version.")}{" "}
        <button type="button" className="underline" onClick={onImportHtml}>
          {t("Begin anew from its HTML")}
        </button>
      </Callout>
    );
  }
  const { host, state, run } = editor;
  const theme = themeOf(state.doc);
  const href = linkAt(state);
  const fault = designFault(design);
  return (
    <div className="@container">
      {fault && (
        <div className="mb-3">
          <Callout kind="danger" alert>
            {fault}
          </Callout>
        </div>
      )}
      <div className="grid gap-4 @3xl:grid-cols-[minmax(0,1fr)_17rem] @4xl:grid-cols-[8rem_minmax(0,1fr)_15.5rem]">
        {!readOnly && <Palette editor={editor} />}
        <div className="min-w-0">
          {!readOnly && <Toolbar editor={editor} onLink={() => setLinking(true)} />}
          <div
            className="mail-ground max-h-[50vh] min-h-80 overflow-auto @3xl:max-h-[75vh] @3xl:min-h-96 rounded-b-md border border-rule-strong"
            style={propertiesOf(theme)}
          >
            <div ref={host} />
          </div>
          <p className="mt-1.5 text-xs text-faint max-sm:hidden">
            {t(
              "Alt and ↑ or ↓ move a block, Ctrl D copies it, Esc selects what is around it. Ctrl Z undoes.",
            )}
          </p>
        </div>
        {!readOnly && (
          <div className="min-w-0">
            <Tabs
              label={t("Settings")}
              value={panel}
              onChange={setPanel}
              tabs={[
                { value: "block", label: t("Block"), content: <BlockPanel editor={editor} /> },
                {
                  value: "theme",
                  label: t("Whole email"),
                  content: (
                    <ThemePanel editor={editor} theme={theme} language={languageOf(state.doc)} />
                  ),
                },
              ]}
            />
          </div>
        )}
      </div>
      {linking && (
        <LinkDialog
          href={href ?? ""}
          needsWords={state.selection.empty && href === null}
          onClose={() => setLinking(false)}
          onSet={(next, words) => {
            setLinking(false);
            // Once the dialog has given the focus back.
            setTimeout(() => run(setLink(next, words)));
          }}
        />
      )}
    </div>
  );
}
