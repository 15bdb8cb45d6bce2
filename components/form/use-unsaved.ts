"use client";

import { useEffect } from "react";
import { t } from "@/lib/ground/texts/t";

/** How many forms on the page hold something unsaved. */
let unsavedForms = 0;

/** Whether the page may be left; asks if something is unsaved. For navigation without a link. */
export function mayLeave(): boolean {
  return (
    unsavedForms === 0 || window.confirm(t("You have unsaved changes. Leave without saving them?"))
  );
}

/** The part of the Navigation API that is used; not every browser has it. */
interface Traversal extends Event {
  navigationType: string;
}
type WithNavigation = Window & { navigation?: EventTarget };

/** While `unsaved`, closing the page asks first. */
export function useUnsavedOnClose(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [unsaved]);
}

/** While `unsaved`: closing the page, following a link and going back ask first. */
export function useUnsaved(unsaved: boolean): void {
  useUnsavedOnClose(unsaved);
  useEffect(() => {
    if (!unsaved) return;
    unsavedForms += 1;
    const onClick = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) {
        return;
      }
      if (link.pathname === location.pathname && link.search === location.search) return;
      if (mayLeave()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onNavigate = (event: Event) => {
      const back = (event as Traversal).navigationType === "traverse" && event.cancelable;
      if (back && !mayLeave()) event.preventDefault();
    };
    const { navigation } = window as WithNavigation;
    navigation?.addEventListener("navigate", onNavigate);
    // Before the router sees the click.
    document.addEventListener("click", onClick, true);
    return () => {
      unsavedForms -= 1;
      navigation?.removeEventListener("navigate", onNavigate);
      document.removeEventListener("click", onClick, true);
    };
  }, [unsaved]);
}
