"use client";

import clsx from "clsx";
import { Check, ChevronsUpDown, Plus, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { Link } from "@/components/ui/link";
import type { ProjectChoice } from "@/lib/doors/http/sign-in/dashboard-session";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { t } from "@/lib/ground/texts/t";
import { navigation } from "./navigation";
import { roleLabels } from "@/components/api/role-labels";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { UserMenu } from "./user-menu";
import { Wordmark } from "./wordmark";

const NewProject = deferredDialog(() =>
  import("./new-project").then((module) => module.NewProject),
);

function ProjectSwitcher({ projects }: { projects: readonly ProjectChoice[] }) {
  const current = useProject();
  const [making, setMaking] = useState(false);
  const mayMake = useMay("owner") && !current.onlyProject;
  useLoaded(NewProject, mayMake);
  return (
    <>
      <Menu
        align="start"
        className="w-56"
        trigger={
          <button
            type="button"
            className="flex h-10 w-full items-center justify-between gap-2 rounded-md border border-control bg-sheet px-3 text-left text-sm font-medium shadow-press transition-colors hover:border-ink data-popup-open:border-ink"
          >
            <span className="sr-only">{t("Project:")} </span>
            <span className="truncate">{current.name}</span>
            <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden />
          </button>
        }
      >
        <MenuGroup label={t("Projects")}>
          {projects.map((project) => (
            <MenuLink key={project.id} href={`/dashboard/${project.id}`}>
              <span className="flex-1 truncate">{project.name}</span>
              <span className="text-xs text-faint">{roleLabels[project.role]}</span>
              {project.id === current.id && <Check aria-label={t("current")} />}
            </MenuLink>
          ))}
        </MenuGroup>
        {mayMake && (
          <>
            <MenuSeparator />
            <MenuItem onClick={() => setMaking(true)}>
              <Plus aria-hidden /> {t("New project")}
            </MenuItem>
          </>
        )}
      </Menu>
      {making && <NewProject onClose={() => setMaking(false)} />}
    </>
  );
}

/** The navigation itself, in the sidebar and in the phone's side panel. */
export function SidebarContent({
  projects,
  email,
  onSearch,
  onShortcuts,
  onNavigate,
}: {
  projects: readonly ProjectChoice[];
  email: string;
  onSearch: () => void;
  /** Shows the keyboard shortcuts. */
  onShortcuts: () => void;
  /** Called when a link was followed: the phone's panel closes. */
  onNavigate?: () => void;
}) {
  const pathname = usePathname();
  const path = useProjectPath();
  const isCurrent = (page: string) =>
    page === "" ? pathname === path() : pathname.startsWith(path(page));
  return (
    <>
      <div className="px-4 pt-5 pb-4">
        <Link href={path()} onClick={onNavigate} className="inline-block rounded-sm">
          <Wordmark />
        </Link>
      </div>
      <div className="flex flex-col gap-2 px-3">
        <ProjectSwitcher projects={projects} />
        <button
          type="button"
          onClick={onSearch}
          className="flex h-9 w-full items-center gap-2 rounded-md px-3 text-sm text-soft transition-colors hover:bg-hover hover:text-ink"
        >
          <Search className="size-4 text-faint" aria-hidden />
          {t("Go to…")}
          <kbd className="ml-auto rounded-sm border border-rule-strong px-1.5 font-mono text-2xs text-faint">
            {t("Ctrl K")}
          </kbd>
        </button>
      </div>
      {/* Scrolls on its own on a low screen, so that the account menu stays in view. */}
      <nav aria-label={t("Pages")} className="min-h-0 flex-1 overflow-y-auto px-3 pt-3 pb-6">
        {navigation().map((group, index) => (
          <div key={index} className="mb-1">
            {group.label && <p className="eyebrow px-3 pt-3.5 pb-1">{group.label}</p>}
            <ul>
              {group.items.map(({ page, label, icon: Icon }) => (
                <li key={page}>
                  <Link
                    href={path(page)}
                    onClick={onNavigate}
                    aria-current={isCurrent(page) ? "page" : undefined}
                    className={clsx(
                      "relative flex h-9 items-center gap-2.5 rounded-md px-3 text-sm transition-colors lg:h-8",
                      isCurrent(page)
                        ? "bg-hover font-medium text-ink before:absolute before:inset-y-1.5 before:left-0 before:w-[3px] before:rounded-full before:bg-accent"
                        : "text-soft hover:bg-hover hover:text-ink",
                    )}
                  >
                    <Icon
                      className={clsx("size-4", isCurrent(page) ? "text-accent-ink" : "text-faint")}
                      aria-hidden
                    />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="border-t p-3">
        <UserMenu email={email} onShortcuts={onShortcuts} />
      </div>
    </>
  );
}
