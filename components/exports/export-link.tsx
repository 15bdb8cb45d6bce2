"use client";

import { Download } from "lucide-react";
import { useProject } from "@/components/api/project-context";
import { buttonClass, type ButtonSize } from "@/components/ui/button";
import { noteExport } from "./begun";

/** A file that the server writes while the browser streams it to disk; every page shows how far it is. */
export function ExportLink({
  path,
  filename,
  size = "md",
  onBegun,
  children,
}: {
  /** Of the API, with its query: `/v1/contacts/export?tag=vip`. */
  path: string;
  filename: string;
  size?: ButtonSize;
  onBegun?: () => void;
  children: string;
}) {
  const { id: projectId } = useProject();
  const href = `/api/dashboard/${projectId}${path}`;
  return (
    <a
      href={href}
      download={filename}
      className={buttonClass("secondary", size)}
      onClick={({ currentTarget }) => {
        // The download stays the browser's own, which then asks for this address.
        currentTarget.href = noteExport({ projectId, filename, href });
        onBegun?.();
      }}
    >
      <Download aria-hidden /> {children}
    </a>
  );
}
