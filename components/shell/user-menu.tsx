"use client";

import { BookOpenText, ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { useLoaded } from "@/components/ui/deferred";
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { t } from "@/lib/ground/texts/t";
import { LanguageChoice } from "./language-choice";
import { signingOut, signOut } from "./sign-out";
import { applyTheme, parseTheme, themeCookie, type Theme } from "./theme";

function currentTheme(): Theme {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith(`${themeCookie}=`));
  return parseTheme(cookie?.slice(themeCookie.length + 1));
}

function ThemeChoice() {
  // Rendered when the menu opens, so only ever in the browser.
  const [theme, setTheme] = useState(currentTheme);
  return (
    <MenuChoice
      label={t("Appearance")}
      value={theme}
      options={[
        { value: "system", label: t("System"), icon: <Monitor aria-hidden /> },
        { value: "light", label: t("Light"), icon: <Sun aria-hidden /> },
        { value: "dark", label: t("Dark"), icon: <Moon aria-hidden /> },
      ]}
      onChange={(next: Theme) => {
        applyTheme(next);
        setTheme(next);
      }}
    />
  );
}

/** Who is signed in, the appearance, and signing out. */
export function UserMenu({ email, onShortcuts }: { email: string; onShortcuts: () => void }) {
  useLoaded(signingOut);
  return (
    <Menu
      side="top"
      align="start"
      className="w-56"
      trigger={
        <button
          type="button"
          className="flex h-10 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm text-soft transition-colors hover:bg-hover hover:text-ink data-popup-open:bg-hover"
        >
          <span
            aria-hidden
            className="flex size-7 shrink-0 items-center justify-center rounded-full border border-rule-strong bg-sheet text-xs font-semibold text-ink uppercase"
          >
            {email.slice(0, 1)}
          </span>
          <span className="sr-only">{t("Account:")} </span>
          <span className="flex-1 truncate">{email}</span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden />
        </button>
      }
    >
      <ThemeChoice />
      <LanguageChoice />
      <MenuSeparator />
      <MenuLink href="/docs">
        <BookOpenText aria-hidden /> {t("Documentation")}
      </MenuLink>
      <MenuItem onClick={onShortcuts}>
        <Keyboard aria-hidden /> {t("Keyboard shortcuts")}
      </MenuItem>
      <MenuItem onClick={() => void signOut()}>
        <LogOut aria-hidden /> {t("Sign out")}
      </MenuItem>
    </Menu>
  );
}
