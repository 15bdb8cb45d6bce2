"use client";

import { Download } from "lucide-react";
import { useProject } from "@/components/api/project-context";
import { isFiltered, pageHref } from "@/components/list-page/filters";
import { buttonClass, type ButtonSize } from "@/components/ui/button";
import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { filterOf } from "./chosen";

/** Everybody who matches the filters, as a CSV that the browser streams to disk. */
export function ExportContacts({
  query,
  size = "md",
  children,
}: {
  query: ContactListQuery;
  size?: ButtonSize;
  /** In place of what it says by itself. */
  children?: string;
}) {
  const { id } = useProject();
  const href = pageHref(`/api/dashboard/${id}/v1/contacts/export`, filterOf(query), {
    columns: "firstName,lastName,tags",
  });
  return (
    <a href={href} download="contacts.csv" className={buttonClass("secondary", size)}>
      <Download aria-hidden />{" "}
      {children ?? (isFiltered(query) ? t("Export these") : t("Export all"))}
    </a>
  );
}

/** Every consent given or withdrawn in the whole project, and through what. */
export function ExportConsent() {
  const { id } = useProject();
  return (
    <a
      href={`/api/dashboard/${id}/v1/contacts/subscription-history`}
      download="consent.csv"
      className={buttonClass()}
    >
      <Download aria-hidden /> {t("Export consent history")}
    </a>
  );
}

/** Everything about one person, as they may ask for it. */
export function ExportContact({ contact }: { contact: Contact }) {
  const { id } = useProject();
  return (
    <a
      href={`/api/dashboard/${id}/v1/contacts/${contact.id}/export`}
      download="contact.zip"
      className={buttonClass()}
    >
      <Download aria-hidden /> {t("Export data")}
    </a>
  );
}
