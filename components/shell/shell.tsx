"use client";

import { Menu as MenuIcon, Search } from "lucide-react";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { ProjectChoice } from "@/lib/doors/http/sign-in/dashboard-session";
import { ExportsUnderWay } from "@/components/exports/exports-under-way";
import { IconButton } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred";
import { whenIdle } from "@/components/ui/when-idle";
import { Coming, deferredDialog, NotLoaded } from "@/components/ui/deferred-dialog";
import { Island } from "@/components/ui/island";
import { SidePanel } from "@/components/ui/dialog";
import { t } from "@/lib/ground/texts/t";
import { ProjectProvider, type CurrentProject } from "@/components/api/project-context";
import { NavigationBar } from "./navigation-bar";
import { SidebarContent } from "./sidebar";
import { Wordmark } from "./wordmark";

const GoTo = deferred(
  () => import("./command-menu").then((module) => module.GoTo),
  ({ onOpenChange }) => <NotLoaded onClose={() => onOpenChange(false)} />,
  ({ open, onOpenChange }) => open && <Coming onClose={() => onOpenChange(false)} />,
);

const ShortcutsDialog = deferredDialog(() =>
  import("./shortcuts-dialog").then((module) => module.ShortcutsDialog),
);

/** Calls it for Ctrl+K, and for Cmd+K on a Mac. */
function useShortcut(run: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [run]);
}

/**
 * The frame of a project's pages: sidebar on desktops, bar and side panel on phones, palette on both.
 */
export function Shell({
  project,
  projects,
  notice,
  children,
}: {
  project: CurrentProject;
  projects: readonly ProjectChoice[];
  /** Above every page. */
  notice?: ReactNode;
  children: ReactNode;
}) {
  const { email } = project.viewer;
  const [panelOpen, setPanelOpen] = useState(false);
  // null: was never opened.
  const [goToOpen, setGoToOpen] = useState<boolean | null>(null);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const closePanel = useCallback(() => setPanelOpen(false), []);
  const search = useCallback(() => {
    setPanelOpen(false);
    setGoToOpen(true);
  }, []);
  const showShortcuts = useCallback(() => {
    setPanelOpen(false);
    setShortcutsOpen(true);
  }, []);
  useShortcut(useCallback(() => setGoToOpen((open) => !open), []));
  // Ctrl+K may be the first that somebody does, and what they type at once is meant for it.
  useEffect(() => whenIdle(() => void GoTo.load()), []);
  return (
    <ProjectProvider project={project}>
      <a
        href="#content"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-ink px-3 py-2 text-sm text-paper focus:translate-y-0 print:hidden"
      >
        {t("Skip to the content")}
      </a>
      <NavigationBar />
      <div className="flex min-h-dvh flex-col lg:flex-row">
        <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col overflow-y-auto border-r border-rule-strong bg-sunken lg:flex print:hidden">
          <Island>
            <SidebarContent
              projects={projects}
              email={email}
              onSearch={search}
              onShortcuts={showShortcuts}
            />
          </Island>
        </aside>
        <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-rule-strong bg-sunken px-2 lg:hidden print:hidden">
          <IconButton label={t("Open the navigation")} onClick={() => setPanelOpen(true)}>
            <MenuIcon aria-hidden />
          </IconButton>
          <Link href={`/dashboard/${project.id}`} className="rounded-sm">
            <Wordmark />
          </Link>
          <IconButton label={t("Go to…")} className="ml-auto" onClick={search}>
            <Search aria-hidden />
          </IconButton>
        </header>
        <SidePanel open={panelOpen} onOpenChange={setPanelOpen} title={t("Navigation")}>
          <SidebarContent
            projects={projects}
            email={email}
            onSearch={search}
            onShortcuts={showShortcuts}
            onNavigate={closePanel}
          />
        </SidePanel>
        <main
          id="content"
          tabIndex={-1}
          className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-8 lg:px-10 lg:py-9 print:p-0!"
        >
          <div className="mx-auto max-w-6xl">
            {notice}
            <ExportsUnderWay />
            <Island>{children}</Island>
          </div>
        </main>
      </div>
      {goToOpen !== null && (
        <GoTo
          open={goToOpen}
          // Where it could not be loaded, the next press tries again.
          onOpenChange={(open) => setGoToOpen(open || (GoTo.isLoaded() ? false : null))}
          projects={projects}
          onShortcuts={showShortcuts}
        />
      )}
      {shortcutsOpen && <ShortcutsDialog onClose={() => setShortcutsOpen(false)} />}
    </ProjectProvider>
  );
}
