import type { UtmParameters } from "@/db/schema/campaigns";
import type { CampaignStats } from "@/lib/domain/campaigns/stats-schema";

/** A link of a campaign's mail as its author wrote it, with what was clicked, whatever it became for each person. */
export interface WrittenLink {
  /** null: all that is not written in the mail, such as addresses that are put together from people's data. */
  address: string | null;
  clicks: number;
  /** Each counted once for each address that the link became. */
  people: number;
}

/** The address without the parameters that the campaign adds to it. */
function withoutUtm(url: string, utm: UtmParameters | null): string {
  if (utm === null) return url;
  const added = new Set(
    Object.entries(utm).map(([name, value]) => `utm_${name}=${encodeURIComponent(String(value))}`),
  );
  const hash = url.indexOf("#");
  const address = hash === -1 ? url : url.slice(0, hash);
  const query = address.indexOf("?");
  if (query === -1) return url;
  const left = address
    .slice(query + 1)
    .split("&")
    .filter((part) => !added.has(part))
    .join("&");
  const rest = hash === -1 ? "" : url.slice(hash);
  return `${address.slice(0, query)}${left && `?${left}`}${rest}`;
}

/** An address with and without a final slash is one. */
const keyOf = (address: string) => (address.endsWith("/") ? address.slice(0, -1) : address);

const closings: Readonly<Record<string, string>> = { "{{": "}}", "{%": "%}" };

/** What stands in an address between its Liquid; what is opened and never closed reaches to the end. */
function literalsOf(address: string): string[] {
  const literals: string[] = [];
  let from = 0;
  for (let at = address.indexOf("{"); at !== -1; at = address.indexOf("{", at)) {
    const closing = closings[address.slice(at, at + 2)];
    if (closing === undefined) {
      at++;
      continue;
    }
    literals.push(address.slice(from, at));
    const end = address.indexOf(closing, at + 2);
    if (end === -1) return [...literals, ""];
    from = at = end + closing.length;
  }
  return [...literals, address.slice(from)];
}

/** Scheme and host: a pattern that leaves them to people's data would take in every link. */
const named = /^https?:\/\/[^/?#]+/i;

/** No longer address is tracked (see LinkRegistry). */
const longestAddress = 8_000;
/** Each is held against each link that was clicked. */
const mostPatterns = 100;

interface Pattern {
  address: string;
  literals: readonly string[];
  length: number;
}

function patternOf(address: string): Pattern | null {
  const literals = literalsOf(address);
  if (literals.length < 2 || !named.test(literals[0] ?? "")) return null;
  return { address, literals, length: literals.join("").length };
}

function matches({ literals }: Pattern, url: string): boolean {
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  if (!url.startsWith(first) || !url.endsWith(last)) return false;
  if (url.length < first.length + last.length) return false;
  let from = first.length;
  const end = url.length - last.length;
  for (const literal of literals.slice(1, -1)) {
    const at = url.indexOf(literal, from);
    if (at === -1 || at + literal.length > end) return false;
    from = at + literal.length;
  }
  return true;
}

/**
 * A campaign's clicks by the links that its author wrote, most clicked first: addresses that were rendered for people
 * may hold who they are, and none of them is told.
 *
 * @param hrefs the addresses in the mail's source, with their placeholders
 */
export function clicksAsWritten(
  clicked: CampaignStats["links"],
  hrefs: Iterable<string>,
  utm: UtmParameters | null,
): WrittenLink[] {
  const plain = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const address of new Set(hrefs)) {
    if (address.length > longestAddress) continue;
    if (literalsOf(address).length === 1) {
      plain.set(keyOf(withoutUtm(address, utm)), address);
      continue;
    }
    const pattern = patterns.length < mostPatterns ? patternOf(address) : null;
    if (pattern) patterns.push(pattern);
  }
  // Of two that fit, the one that says more.
  patterns.sort((one, other) => other.length - one.length);
  const rows = new Map<string | null, WrittenLink>();
  for (const { url, clicks, uniqueClicks } of clicked) {
    const bare = withoutUtm(url, utm);
    const whole = plain.get(keyOf(bare));
    const address = whole ?? patterns.find((one) => matches(one, bare))?.address ?? null;
    const row = rows.get(address) ?? { address, clicks: 0, people: 0 };
    rows.set(address, {
      address,
      clicks: row.clicks + clicks,
      people: row.people + uniqueClicks,
    });
  }
  const order = ({ address, people }: WrittenLink) => (address === null ? -1 : people);
  return [...rows.values()].sort((one, other) => order(other) - order(one));
}
