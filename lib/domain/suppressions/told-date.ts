const written =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/;
const unixSeconds = /^\d{9,10}$/;
/** As in mail: `Fri, 21 Nov 2025 10:00:00 UTC`. */
const ofMail = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (UTC|GMT|[+-]\d{4})$/;

function parse(text: string): Date | null {
  if (unixSeconds.test(text)) return new Date(Number(text) * 1_000);
  if (ofMail.test(text)) return new Date(text);
  const [match, date = "", hours = "00:00", offset = "Z"] = written.exec(text) ?? [];
  if (match === undefined) return null;
  // The 31st of February would become a day in March.
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return null;
  return new Date(
    `${date}T${hours}${offset === "UTC" ? "Z" : offset.replace(/(\d\d)(\d\d)$/, "$1:$2")}`,
  );
}

/**
 * A time in the past as exports of this and other products write it: ISO 8601 with or without a time, seconds since
 * 1970, or as in mail; without a zone UTC. null: it is none of those, or before 1970, as many programs write none.
 */
export function toldDate(text: string): Date | null {
  const date = parse(text.trim());
  return date && date.getTime() > 0 && date.getTime() <= Date.now() ? date : null;
}
