"use client";

import { Download } from "lucide-react";
import { useProject } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { buttonClass } from "@/components/ui/button";
import type { ContactQuery } from "@/lib/domain/contacts/schema";
import { isFiltered, wireQuery } from "./wire-query";

/** Everybody the filters let through, as a CSV that the browser streams to disk. */
export function ExportContacts({ query }: { query: ContactQuery }) {
  const { id } = useProject();
  const href = pageHref(
    `/api/dashboard/${id}/v1/contacts/export`,
    { ...wireQuery(query), columns: "firstName,lastName,tags" },
    null,
  );
  return (
    <a href={href} download="contacts.csv" className={buttonClass()}>
      <Download aria-hidden /> {isFiltered(query) ? "Export these" : "Export all"}
    </a>
  );
}
