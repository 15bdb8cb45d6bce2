"use client";

import { useProject } from "@/components/api/project-context";
import { deferred } from "@/components/ui/deferred";
import { useBegunExports } from "./begun";

const ExportProgress = deferred(
  () => import("./export-progress").then((module) => module.ExportProgress),
  // The browser shows its downloads itself.
  () => null,
);

/** How far the exports are that were begun in this tab; nothing while there are none. */
export function ExportsUnderWay() {
  const begun = useBegunExports(useProject().id);
  return begun.map((one) => <ExportProgress key={one.id} begun={one} />);
}
