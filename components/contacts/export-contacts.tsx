"use client";

import { ExportLink } from "@/components/exports/export-link";
import { isFiltered, pageHref } from "@/components/list-page/filters";
import type { ButtonSize } from "@/components/ui/button";
import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { filterOf } from "./chosen";

/** Everybody who matches the filters, as a CSV. */
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
  const columns = "firstName,lastName,tags";
  return (
    <ExportLink
      path={pageHref("/v1/contacts/export", filterOf(query), { columns })}
      filename="contacts.csv"
      size={size}
    >
      {children ?? (isFiltered(query) ? t("Export these") : t("Export all"))}
    </ExportLink>
  );
}

/** Every consent given or withdrawn in the whole project, and through what. */
export function ExportConsent() {
  return (
    <ExportLink path="/v1/contacts/subscription-history" filename="consent.csv">
      {t("Export consent history")}
    </ExportLink>
  );
}

/** Everything about one person, as they may ask for it. */
export function ExportContact({ contact }: { contact: Contact }) {
  return (
    <ExportLink path={`/v1/contacts/${contact.id}/export`} filename="contact.zip">
      {t("Export data")}
    </ExportLink>
  );
}
