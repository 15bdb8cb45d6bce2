import type { ListContact } from "@/db/schema/lists";
import { countryCode, countryName } from "@/lib/ground/geo/countries";

/** The lines of a list's postal address as an envelope shows them; none where nothing is given. */
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
  // A country alone is no address.
  const known = lines.filter((line): line is string => Boolean(line?.trim()));
  return known.length === 1 && known[0] === country ? [] : known;
}
