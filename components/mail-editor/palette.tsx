"use client";

import {
  Bookmark,
  Braces,
  Columns2,
  FileCode,
  Heading,
  Image,
  List,
  ListOrdered,
  MessageSquareText,
  Minus,
  MousePointerClick,
  MoveVertical,
  Plus,
  RectangleHorizontal,
  Share2,
  ShoppingBag,
  Stamp,
  Text,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { t } from "@/lib/ground/texts/t";
import { blockNames } from "./block-words";
import { newBlock, type NewBlock } from "./blocks";
import { logoBlock } from "./branded";
import { insertBlocks } from "./commands";
import { nodesOf, themeOf } from "./document";
import { SavedBlocks } from "./saved-blocks";
import { useBrand } from "./use-brand";
import type { MailEditor } from "./use-editor";

const icons: Record<NewBlock, LucideIcon> = {
  paragraph: Text,
  heading: Heading,
  bullets: List,
  numbers: ListOrdered,
  button: MousePointerClick,
  image: Image,
  columns: Columns2,
  section: RectangleHorizontal,
  divider: Minus,
  spacer: MoveVertical,
  product: ShoppingBag,
  social: Share2,
  condition: Braces,
  footer: MessageSquareText,
  html: FileCode,
};
const names = Object.keys(icons) as NewBlock[];

/** The available blocks; each goes after the one that the cursor is in. */
export function Palette({ editor }: { editor: MailEditor }) {
  const [choosing, setChoosing] = useState(false);
  const logo = useBrand()?.logo;
  const addLogo = () => {
    const blocks = logo && nodesOf([logoBlock(logo)]);
    if (blocks) editor.run(insertBlocks(blocks));
  };
  const add = (name: NewBlock) => editor.run(insertBlocks(newBlock(name)));
  return (
    <>
      <div
        role="group"
        aria-label={t("Add a block")}
        className="hidden content-start gap-0.5 @4xl:grid"
      >
        <p className="eyebrow mb-1" aria-hidden>
          {t("Add")}
        </p>
        {names.map((name) => {
          const Icon = icons[name];
          return (
            <Button
              key={name}
              size="sm"
              variant="ghost"
              className="justify-start! px-1.5! font-normal!"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add(name)}
            >
              <Icon aria-hidden /> {blockNames[name]}
            </Button>
          );
        })}
        {logo && (
          <Button
            size="sm"
            variant="ghost"
            className="justify-start! px-1.5! font-normal!"
            onMouseDown={(event) => event.preventDefault()}
            onClick={addLogo}
          >
            <Stamp aria-hidden /> {t("Logo")}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          className="mt-2 justify-start! px-1.5! font-normal!"
          onClick={() => setChoosing(true)}
        >
          <Bookmark aria-hidden /> {t("Saved…")}
        </Button>
      </div>
      <div className="col-span-full @4xl:hidden">
        <Menu
          align="start"
          className="max-h-96 w-56 overflow-y-auto"
          trigger={
            <Button size="sm">
              <Plus aria-hidden /> {t("Add a block")}
            </Button>
          }
        >
          {names.map((name) => {
            const Icon = icons[name];
            return (
              // Once the menu has given the focus back.
              <MenuItem key={name} onClick={() => setTimeout(() => add(name))}>
                <Icon aria-hidden /> {blockNames[name]}
              </MenuItem>
            );
          })}
          {logo && (
            <MenuItem onClick={() => setTimeout(addLogo)}>
              <Stamp aria-hidden /> {t("Logo")}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem onClick={() => setChoosing(true)}>
            <Bookmark aria-hidden /> {t("Saved blocks…")}
          </MenuItem>
        </Menu>
      </div>
      {choosing && (
        <SavedBlocks
          theme={themeOf(editor.state.doc)}
          onClose={() => setChoosing(false)}
          onInsert={(blocks) => {
            setChoosing(false);
            // Once the dialog has given the focus back.
            setTimeout(() => editor.run(insertBlocks(blocks)));
          }}
        />
      )}
    </>
  );
}
