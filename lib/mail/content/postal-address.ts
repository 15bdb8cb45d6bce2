import type { ListContact } from "@/db/schema/lists";
import { countryCode, countryName } from "@/lib/ground/geo/countries";

/** A list's postal address, line by line as on an envelope; no lines when nothing was given. */
export function postalAddress(contact: ListContact): string[] {
  const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" ");
  const code = countryCode(contact.country_id ?? "");
  const country = (code && countryName(code)) ?? contact.country_id;
  const lines = [
    contact.company,
    contact.address_1,
    contact.address_2,
    joined(contact.zip, contact.city, contact.state),
    country,
  ];
  const filled = lines.filter((line): line is string => Boolean(line?.trim()));
  // A country alone is not an address.
  return filled.length === 1 && filled[0] === country ? [] : filled;
}
