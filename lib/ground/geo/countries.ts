const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** English name of an ISO 3166-1 alpha-2 code; null for anything else. */
export function countryName(code: string): string | null {
  if (!/^[A-Z]{2}$/.test(code) || code === "ZZ" || code === "EU" || code === "UN") return null;
  return names.of(code) ?? null;
}

/** A country's alpha-2 code from that, or from ISO 3166-1's three digits ("840": US); null for neither. */
export function countryCode(id: string): string | null {
  const text = /^\d{1,3}$/.test(id) ? id.padStart(3, "0") : id.toUpperCase();
  if (!/^(\d{3}|[A-Z]{2})$/.test(text)) return null;
  // Unicode's aliases turn a country's digits into its letters, and obsolete codes into today's.
  const code = new Intl.Locale(`und-${text}`).region ?? "";
  return countryName(code) ? code : null;
}

/** Not countries, although Unicode names them: unions, pseudo-regions, territories outside ISO 3166-1. */
const others = new Set([
  "EU",
  "EZ",
  "QO",
  "UN",
  "XA",
  "XB",
  "ZZ",
  "AC",
  "CP",
  "CQ",
  "DG",
  "EA",
  "IC",
  "TA",
]);

/** Every country of ISO 3166-1 by its English name. */
export function countries(): { code: string; name: string }[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => countryCode(code) === code && !others.has(code))
    .map((code) => ({ code, name: countryName(code) ?? code }))
    .toSorted((left, right) => left.name.localeCompare(right.name, "en"));
}
