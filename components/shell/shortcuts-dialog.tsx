"use client";

import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/ground/texts/t";

interface Group {
  title: string;
  /** What is pressed or typed, and what it does. */
  keys: readonly (readonly [keys: string, does: string])[];
}

const groups = (): readonly Group[] => [
  {
    title: t("Everywhere"),
    keys: [
      [t("Ctrl K"), t("Go to a page, find anything by name, begin something new")],
      [t("Ctrl Enter"), t("Send or save the form you are in")],
      [t("Esc"), t("Close what has opened")],
    ],
  },
  {
    title: t("In the visual editor"),
    keys: [
      [t("Ctrl B, Ctrl I, Ctrl U"), t("Bold, italic, underlined")],
      [t("Ctrl K"), t("Make a link of the chosen text")],
      [t("Alt ↑, Alt ↓"), t("Move the block")],
      [t("Ctrl D"), t("Copy the block")],
      [t("Ctrl Shift Backspace"), t("Delete the block")],
      [t("Esc"), t("Select what is around the block")],
      [t("Ctrl [, Ctrl ]"), t("Outdent or indent the list item")],
      [t("Shift Enter"), t("A new line in the same paragraph")],
      [t("Ctrl Z, Ctrl Y"), t("Undo, redo")],
      ["#, ##, ###", t("At the start of a line, with a space: a heading")],
      ["-, 1.", t("At the start of a line, with a space: a list")],
      ["---", t("On a line of its own: a divider")],
    ],
  },
  {
    title: t("In the HTML editor"),
    keys: [
      [t("Ctrl F"), t("Find and replace")],
      [t("Ctrl Z, Ctrl Y"), t("Undo, redo")],
      [t("Tab"), t("Leave the editor")],
    ],
  },
];

/** Every shortcut that the dashboard has. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Keyboard shortcuts")}
      description={t("On a Mac, ⌘ takes the place of Ctrl, and ⌥ that of Alt.")}
    >
      <div className="flex flex-col gap-5">
        {groups().map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="eyebrow pb-1">{title}</h3>
            <dl className="divide-y border-y">
              {keys.map(([pressed, does]) => (
                <div
                  key={pressed}
                  className="grid grid-cols-[minmax(0,11rem)_minmax(0,1fr)] gap-x-4 py-1.5 text-sm"
                >
                  <dt>
                    <kbd className="font-mono text-xs">{pressed}</kbd>
                  </dt>
                  <dd className="text-soft">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
