"use client";

import { Activity, type ReactNode } from "react";

/**
 * A part of a page that comes alive by itself. React makes the rest of the page interactive without it and then each of
 * these in a task of its own, the one that somebody presses or types into first: a page in one piece keeps a phone busy
 * for a third of a second at a stretch.
 */
export function Island({ children }: { children: ReactNode }) {
  return <Activity>{children}</Activity>;
}
