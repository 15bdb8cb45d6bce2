"use client";

import { useQuery } from "@tanstack/react-query";
import { LogOut, Mail, Moon, RefreshCcw, Sun } from "lucide-react";
import { signOut } from "next-auth/react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useEffect, useState } from "react";
import { useApi } from "@/components/api/use-api";
import { CommandPalette, type Command, type CommandGroup } from "@/components/ui/command-palette";
import type { ProjectChoice } from "@/lib/api/dashboard-session";
import { navigation } from "./navigation";
import { useProject, useProjectPath } from "./project-context";
import { applyTheme } from "./theme";

const emailId = /^em_[0-9a-z]{26}$/;

/** Emails by part of the address, or the one with this id. */
function useFoundEmails(open: boolean, query: string) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const text = query.trim();
  const isId = emailId.test(text);
  const found = useQuery({
    queryKey: ["go-to", id, text],
    enabled: open && !isId && text.length >= 2,
    queryFn: ({ signal }) =>
      api("GET /v1/emails", { query: { search: text, limit: 5 } }, { signal }),
  });
  const show = (email: string) => router.push(path(`emails/${email}`));
  const commands: Command[] = isId
    ? [{ id: text, label: "Email", hint: text, icon: Mail, run: () => show(text) }]
    : (found.data?.data ?? []).map((email) => ({
        id: email.id,
        label: email.subject || "(no subject)",
        hint: email.contact?.email ?? "deleted contact",
        icon: Mail,
        run: () => show(email.id),
      }));
  return { commands, looking: found.isFetching };
}

/** The palette behind Ctrl+K: pages, projects, emails and the few things one does everywhere. */
export function GoTo({
  open,
  onOpenChange,
  projects,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  projects: readonly ProjectChoice[];
}) {
  const router = useRouter();
  const current = useProject();
  const path = useProjectPath();
  const [query, setQuery] = useState("");
  const { commands: emails, looking } = useFoundEmails(open, useDeferredValue(query));

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      onOpenChange(!open);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [open, onOpenChange]);

  const fixed: CommandGroup[] = [
    {
      label: "Pages",
      items: navigation.flatMap(({ items }) =>
        items.map((item) => ({
          id: `page:${item.page}`,
          label: item.label,
          keywords: item.keywords,
          icon: item.icon,
          run: () => router.push(path(item.page)),
        })),
      ),
    },
    {
      label: "Projects",
      items: projects
        .filter(({ id }) => id !== current.id)
        .map((project) => ({
          id: project.id,
          label: project.name,
          keywords: "project switch",
          icon: RefreshCcw,
          run: () => router.push(`/dashboard/${project.id}`),
        })),
    },
    {
      label: "Actions",
      items: [
        {
          id: "light",
          label: "Light appearance",
          keywords: "theme mode",
          icon: Sun,
          run: () => applyTheme("light"),
        },
        {
          id: "dark",
          label: "Dark appearance",
          keywords: "theme mode",
          icon: Moon,
          run: () => applyTheme("dark"),
        },
        {
          id: "sign-out",
          label: "Sign out",
          keywords: "log out leave",
          icon: LogOut,
          run: () => void signOut({ callbackUrl: "/sign-in" }),
        },
      ],
    },
  ];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label, keywords = "" }: Command) =>
    words.every((word) => `${label} ${keywords}`.toLowerCase().includes(word));
  const groups = [
    ...fixed.map((group) => ({ ...group, items: group.items.filter(matches) })),
    { label: "Emails", items: emails },
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
      status={looking ? "Looking through the emails…" : null}
    />
  );
}
