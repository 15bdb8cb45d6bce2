import { navigationEvents } from "@/components/shell/navigation-event";

// Compiled schemas need eval, which our policy forbids: without this the first schema tries, and browsers report it.
// Where zod keeps its settings, before it is there: most pages never load it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const firstNumbers = new URL("./components/ui/first-numbers.js", import.meta.url);
// By way of the window: as `new Worker` the bundler would take it for a program of its own, with a runtime to load.
new window.Worker(firstNumbers);

export function onRouterTransitionStart(url: string): void {
  const { pathname, search } = new URL(url, location.href);
  const stays = pathname + search === location.pathname + location.search;
  const event = new Event(stays ? navigationEvents.dropped : navigationEvents.begun);
  // Not within the transition: what it changes would be shown with the new page, not before.
  queueMicrotask(() => window.dispatchEvent(event));
}
