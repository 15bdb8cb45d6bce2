import { config } from "zod/v4/core";
import { navigationEvent } from "@/components/shell/navigation-event";

// Compiled schemas need eval, which our policy forbids: without this the first schema tries, and browsers report it.
config({ jitless: true });

export function onRouterTransitionStart(url: string): void {
  const { pathname, search } = new URL(url, location.href);
  if (pathname + search === location.pathname + location.search) return;
  // Not within the transition: what it changes would be shown with the new page, not before.
  queueMicrotask(() => window.dispatchEvent(new Event(navigationEvent)));
}
