"use client";

import { useRead } from "@/components/api/use-read";

export interface ContactField {
  /** As placeholders name it. */
  name: string;
  label: string;
  /** What is written for people of whom it is not known. */
  fallback: string;
}

const always: ContactField[] = [
  { name: "firstName", label: "First name", fallback: "there" },
  { name: "lastName", label: "Last name", fallback: "" },
  { name: "email", label: "Email address", fallback: "" },
];

/** What can be said of a person in a mail: the fields everybody has, and those this project's contacts have. */
export function useContactFields(): readonly ContactField[] {
  const { data } = useRead("GET /v1/segments/fields", {});
  const own = (data?.fields ?? [])
    .filter(({ field }) => /^data\.[A-Za-z_][\w-]*$/.test(field))
    .map(({ field }) => ({
      name: field,
      label: field.slice("data.".length).replaceAll("_", " "),
      fallback: "",
    }));
  return [...always, ...own];
}
