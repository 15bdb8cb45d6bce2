"use client";

import clsx from "clsx";
import type { Attrs, Node } from "prosemirror-model";
import { Bookmark } from "lucide-react";
import { useState, type ComponentType } from "react";
import { Button } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";
import { blockNames, type BlockName } from "./block-words";
import { ColumnsPanel, ConditionPanel, PlaceholderPanel, SectionPanel } from "./container-panels";
import {
  chosenBlocks,
  currentBlock,
  selectAt,
  setAttributes,
  spotsOf,
  type Spot,
} from "./commands";
import {
  ButtonPanel,
  HtmlPanel,
  ImagePanel,
  ProductPanel,
  SocialPanel,
  SpacerPanel,
} from "./simple-panels";
import { SaveBlocks } from "./saved-blocks";
import type { MailEditor } from "./use-editor";

export interface PanelProps {
  attrs: Attrs;
  set: (attrs: Attrs) => void;
  spot: Spot;
  editor: MailEditor;
}

const panels: Partial<Record<BlockName, ComponentType<PanelProps>>> = {
  button: ButtonPanel,
  image: ImagePanel,
  spacer: SpacerPanel,
  social: SocialPanel,
  product: ProductPanel,
  html: HtmlPanel,
  columns: ColumnsPanel,
  section: SectionPanel,
  condition: ConditionPanel,
  placeholder: PlaceholderPanel,
};

/** The settings of the block that the cursor is in, and of those around it. */
export function BlockPanel({ editor }: { editor: MailEditor }) {
  const spots = spotsOf(editor.state);
  const shown = spots.toReversed().filter(({ name }) => panels[name]);
  const block = currentBlock(editor.state);
  const [saving, setSaving] = useState<readonly Node[] | null>(null);
  const path = spots.filter(({ name }) => name !== "item");
  return (
    <div className="flex flex-col gap-5">
      <nav
        aria-label={t("{email}: where you are", { email: editor.label })}
        className="text-xs text-soft"
      >
        <ol className="flex flex-wrap gap-x-1 gap-y-0.5">
          {path.map(({ name, pos, node }, index) => (
            <li key={`${pos}.${name}`} className="flex gap-1">
              {index > 0 && <span aria-hidden>›</span>}
              {name === "column" || name === "placeholder" ? (
                <span>{blockNames[name]}</span>
              ) : (
                <button
                  type="button"
                  className={clsx(
                    "underline-offset-2 hover:underline",
                    node === block?.node && "font-medium text-ink",
                  )}
                  onClick={() => editor.run(selectAt(pos))}
                >
                  {blockNames[name]}
                </button>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {shown.map((spot) => {
        const Panel = panels[spot.name];
        if (!Panel) return null;
        return (
          <section key={`${spot.pos}.${spot.name}`} className="flex flex-col gap-3.5">
            <h2 className="border-b pb-1 text-sm font-medium">{blockNames[spot.name]}</h2>
            <Panel
              attrs={spot.node.attrs}
              set={(attrs) => editor.run(setAttributes(spot.pos, attrs), { keepFocus: true })}
              spot={spot}
              editor={editor}
            />
          </section>
        );
      })}
      {shown.length === 0 && (
        <p className="text-sm text-soft">
          {block
            ? t("Its text is written on the page, and its look is set above.")
            : t("Choose a block to see what can be set.")}
        </p>
      )}
      {block && (
        <Button size="sm" onClick={() => setSaving(chosenBlocks(editor.state))}>
          <Bookmark aria-hidden /> {t("Save for other emails…")}
        </Button>
      )}
      {saving && <SaveBlocks blocks={saving} onClose={() => setSaving(null)} />}
    </div>
  );
}
