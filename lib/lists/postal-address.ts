import type { ListContact } from "@/db/schema/lists";

const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** The English name for ISO 3166 alpha-2 or numeric (`840`, `4`); what it cannot read comes back as it is. */
export function countryName(code: string): string {
  const region = /^\d{1,3}$/.test(code) ? code.padStart(3, "0") : code;
  try {
    const canonical = new Intl.Locale(`und-${region}`).region;
    return canonical && canonical !== "ZZ" ? (names.of(canonical) ?? code) : code;
  } catch {
    return code;
  }
}

/** The lines of a list's postal address as an envelope shows them; none where nothing is given. */
export function postalAddress(contact: ListContact): string[] {
  const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" ");
  const country = contact.country_id ? countryName(contact.country_id) : undefined;
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
