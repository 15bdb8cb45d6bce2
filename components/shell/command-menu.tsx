"use client";

import { BookOpenText, Keyboard, LogOut, Moon, Plus, RefreshCcw, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { mayLeave } from "@/components/form/use-unsaved";
import { CommandPalette, type Command, type CommandGroup } from "@/components/ui/command-palette";
import type { ProjectChoice } from "@/lib/doors/http/sign-in/dashboard-session";
import { t } from "@/lib/ground/texts/t";
import { beginnings } from "./beginnings";
import { navigation } from "./navigation";
import { nestedPages } from "./nested-pages";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { signOut } from "./sign-out";
import { applyTheme } from "./theme";
import { useFound } from "./use-found";

/** Opens a page, unless the reader chooses to keep unsaved changes on this one. */
function useGo(): (href: string) => void {
  const router = useRouter();
  return (href) => {
    if (mayLeave()) router.push(href);
  };
}

/** The palette behind Ctrl+K: pages, projects, emails and the few things one does everywhere. */
export function GoTo({
  open,
  onOpenChange,
  projects,
  onShortcuts,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  projects: readonly ProjectChoice[];
  onShortcuts: () => void;
}) {
  const go = useGo();
  const current = useProject();
  const mayAdminister = useMay("admin");
  const mayEdit = useMay("editor");
  const path = useProjectPath();
  const [query, setQuery] = useState("");
  const results = useFound(open, query, go);

  const fixed: CommandGroup[] = [
    {
      label: t("Pages"),
      items: [...navigation().flatMap(({ items }) => items), ...nestedPages()]
        .filter(({ least }) => least !== "admin" || mayAdminister)
        .map((item) => ({
          id: `page:${item.page}`,
          label: item.label,
          keywords: item.keywords,
          icon: item.icon,
          run: () => go(path(item.page)),
        })),
    },
    {
      label: t("Projects"),
      items: projects
        .filter(({ id }) => id !== current.id)
        .map((project) => ({
          id: project.id,
          label: project.name,
          keywords: t("project switch"),
          icon: RefreshCcw,
          run: () => go(`/dashboard/${project.id}`),
        })),
    },
    {
      label: t("Actions"),
      items: [
        ...(mayEdit
          ? beginnings().filter(({ least }) => least !== "admin" || mayAdminister)
          : []
        ).map(({ label, keywords, page }) => ({
          id: `begin:${page}`,
          label,
          keywords,
          icon: Plus,
          run: () => go(path(page)),
        })),
        {
          id: "documentation",
          label: t("Documentation"),
          keywords: t("docs help guides manual how to examples moving mailchimp listmonk plunk"),
          icon: BookOpenText,
          run: () => go("/docs"),
        },
        {
          id: "shortcuts",
          label: t("Keyboard shortcuts"),
          keywords: t("keys hotkeys help ? ctrl"),
          icon: Keyboard,
          run: onShortcuts,
        },
        {
          id: "light",
          label: t("Light appearance"),
          keywords: t("theme mode"),
          icon: Sun,
          run: () => applyTheme("light"),
        },
        {
          id: "dark",
          label: t("Dark appearance"),
          keywords: t("theme mode"),
          icon: Moon,
          run: () => applyTheme("dark"),
        },
        {
          id: "sign-out",
          label: t("Sign out"),
          keywords: t("log out leave"),
          icon: LogOut,
          run: () => void signOut(),
        },
      ],
    },
  ];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label, keywords = "" }: Command) =>
    words.every((word) => `${label} ${keywords}`.toLowerCase().includes(word));
  const groups = [
    ...fixed.map((group) => ({ ...group, items: group.items.filter(matches) })),
    ...results.groups,
  ].filter(({ items }) => items.length > 0);

  return (
    <CommandPalette
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) setQuery("");
      }}
      groups={groups}
      query={query}
      onQueryChange={setQuery}
      status={results.looking ? t("Searching…") : null}
    />
  );
}
