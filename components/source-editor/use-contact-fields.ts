"use client";

import { useRead } from "@/components/api/use-read";
import { t } from "@/lib/ground/texts/t";

export interface ContactField {
  /** As placeholders name it. */
  name: string;
  label: string;
  /** What is written where it is not known. */
  fallback: string;
}

const always = (): ContactField[] => [
  { name: "firstName", label: t("First name"), fallback: "there" },
  { name: "lastName", label: t("Last name"), fallback: "" },
  { name: "email", label: t("Email address"), fallback: "" },
];

/** What only the confirmation and welcome emails of lists and forms can say. */
export const listMailFields = (): readonly ContactField[] => [
  { name: "listName", label: t("List name"), fallback: "" },
  { name: "projectName", label: t("Project name"), fallback: "" },
  { name: "mailReason", label: t("Why they get it"), fallback: "" },
];

/** What a mail can say about a person: the fields of everybody, and of this project's contacts. */
export function useContactFields(): readonly ContactField[] {
  const { data } = useRead("GET /v1/segments/fields", {});
  const own = (data?.fields ?? [])
    .filter(({ field }) => /^data\.[A-Za-z_][\w-]*$/.test(field))
    .map(({ field }) => ({
      name: field,
      label: field.slice("data.".length).replaceAll("_", " "),
      fallback: "",
    }));
  return [...always(), ...own];
}
