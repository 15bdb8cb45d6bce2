import { countries } from "./countries";

/** Where a country has several zones: the one most of its people live in. */
const mostPeople: Record<string, string> = {
  AR: "America/Argentina/Buenos_Aires",
  AU: "Australia/Sydney",
  BR: "America/Sao_Paulo",
  CA: "America/Toronto",
  CD: "Africa/Kinshasa",
  CL: "America/Santiago",
  CN: "Asia/Shanghai",
  EC: "America/Guayaquil",
  ES: "Europe/Madrid",
  FM: "Pacific/Pohnpei",
  GL: "America/Nuuk",
  ID: "Asia/Jakarta",
  KI: "Pacific/Tarawa",
  KZ: "Asia/Almaty",
  MN: "Asia/Ulaanbaatar",
  MX: "America/Mexico_City",
  MY: "Asia/Kuala_Lumpur",
  NZ: "Pacific/Auckland",
  PF: "Pacific/Tahiti",
  PG: "Pacific/Port_Moresby",
  PS: "Asia/Gaza",
  PT: "Europe/Lisbon",
  RU: "Europe/Moscow",
  UA: "Europe/Kyiv",
  US: "America/New_York",
  UZ: "Asia/Tashkent",
};

type WithZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };

const zoneOfCode = (code: string) =>
  mostPeople[code] ?? (new Intl.Locale(`und-${code}`) as WithZones).getTimeZones?.()?.[0];

let zones: Map<string, string> | undefined;

/** The time zones of countries by their alpha-2 codes and English names, both in lower case. */
export function zonesOfCountries(): ReadonlyMap<string, string> {
  return (zones ??= new Map(
    countries().flatMap(({ code, name }) => {
      const zone = zoneOfCode(code);
      const keys = [code.toLowerCase(), name.toLowerCase()];
      return zone === undefined ? [] : keys.map((key) => [key, zone] as const);
    }),
  ));
}
