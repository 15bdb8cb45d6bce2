"use client";

import { UserRound } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuGroup, MenuItem } from "@/components/ui/menu";
import { t } from "@/lib/ground/texts/t";
import { listMailFields, useContactFields } from "./use-contact-fields";

/** Offers what a mail can say about each person, with what is said where it is not known. */
export function PersonaliseMenu({
  of,
  listMails = false,
  disabled = false,
  align = "start",
  className,
  onChoose,
}: {
  /** Where it is put, for screen readers: needed where a page has several. */
  of?: string;
  /** The mail may be one that a list or form writes itself. */
  listMails?: boolean;
  disabled?: boolean;
  align?: "start" | "end";
  /** Of the button. */
  className?: string;
  /** Called once the menu has given the focus back. */
  onChoose: (name: string, fallback: string) => void;
}) {
  const groups = [
    { label: t("From the contact"), offered: useContactFields() },
    ...(listMails
      ? [{ label: t("In a list’s or form’s own emails"), offered: listMailFields() }]
      : []),
  ];
  return (
    <Menu
      align={align}
      className="max-h-80 w-60 overflow-y-auto"
      trigger={
        <Button size="sm" variant="ghost" disabled={disabled} className={className}>
          <UserRound aria-hidden />
          <span>
            {t("Personalise")}
            {of !== undefined && <span className="sr-only"> {of}</span>}
          </span>
        </Button>
      }
    >
      {groups.map(({ label: group, offered }) => (
        <MenuGroup key={group} label={group}>
          {offered.map(({ name, label, fallback }) => (
            <MenuItem key={name} onClick={() => setTimeout(() => onChoose(name, fallback))}>
              <span className="flex-1 truncate">{label}</span>
            </MenuItem>
          ))}
        </MenuGroup>
      ))}
    </Menu>
  );
}
