import { BlockList, isIP } from "node:net";
import type { RecordProblem } from "@/db/enums";
import type { RecordCheck } from "@/db/schema/domains";
import type { MailExchange } from "@/lib/ground/dns/resolver";

function good(found: string[]): RecordCheck {
  return { ok: true, found };
}

function bad(kind: RecordProblem, problem: string, found: string[]): RecordCheck {
  return { ok: false, found, kind, problem };
}

/** A TXT value as meant: DNS panels leave quotes around it, or between the strings of a split one. */
function cleanText(value: string): string {
  return value.replaceAll(/"\s*"/g, "").replaceAll('"', "").replaceAll("\\;", ";").trim();
}

/** `tag=value` pairs separated by semicolons (RFC 6376, section 3.2), tag names in lower case. */
function readTags(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, at).trim().toLowerCase();
    if (at > 0 && !tags.has(name)) tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}

/** The DKIM record (RFC 6376, section 3.6.1) for `publicKey`, among a host's TXT values. */
export function judgeDkim(values: string[], publicKey: string): RecordCheck {
  const records = values
    .map((value) => readTags(cleanText(value)))
    .filter((tags) => tags.has("p") || tags.get("v")?.toUpperCase() === "DKIM1");
  const [tags] = records;
  if (!tags) return bad("missing", "There is no DKIM record at this name.", values);
  if (records.length > 1) {
    return bad(
      "several",
      `${records.length} DKIM records exist at this name. Receivers may read the wrong one: remove all but ours.`,
      values,
    );
  }
  const key = (tags.get("p") ?? "").replaceAll(/\s/g, "");
  const listed = (tag: string) =>
    (tags.get(tag) ?? "")
      .toLowerCase()
      .split(":")
      .map((word) => word.trim());
  if (key === "") return bad("different", "The record's key is empty, which revokes it.", values);
  if (key !== publicKey) {
    return bad(
      "different",
      publicKey.startsWith(key)
        ? `The key was cut off after ${key.length} of ${publicKey.length} characters. Publish the value as several strings of at most 255 characters.`
        : "The record holds another key.",
      values,
    );
  }
  if (tags.has("v") && tags.get("v")?.toUpperCase() !== "DKIM1") {
    return bad("different", "The record's version (v=) is not DKIM1.", values);
  }
  if (tags.has("k") && tags.get("k")?.toLowerCase() !== "rsa") {
    return bad("different", "The record's key type (k=) is not rsa.", values);
  }
  if (tags.has("h") && !listed("h").includes("sha256")) {
    return bad("different", "The record's hashes (h=) leave out sha256.", values);
  }
  if (tags.has("s") && !listed("s").some((service) => service === "*" || service === "email")) {
    return bad("different", "The record's services (s=) leave out email.", values);
  }
  return good(values);
}

/** Whether an `ip4:` or `ip6:` mechanism's network contains all of another's. */
function covers(wide: string, narrow: string): boolean {
  const read = (mechanism: string) => {
    const [, address = "", bits] = /^ip[46]:([^/]+)(?:\/(\d+))?$/.exec(mechanism) ?? [];
    const family = isIP(address);
    const full = family === 6 ? 128 : 32;
    return { address, family, bits: bits === undefined ? full : Number(bits), full };
  };
  const [outer, inner] = [read(wide), read(narrow)];
  if (outer.family === 0 || outer.family !== inner.family) return false;
  if (outer.bits > inner.bits || outer.bits > outer.full) return false;
  const kind = outer.family === 6 ? "ipv6" : "ipv4";
  const network = new BlockList();
  network.addSubnet(outer.address, outer.bits, kind);
  return network.check(inner.address, kind);
}

/** The SPF record (RFC 7208) among a host's TXT values: exactly one, which lets each of `mechanisms` pass. */
export function judgeSpf(values: string[], mechanisms: string[]): RecordCheck {
  const records = values
    .map((value) => cleanText(value).toLowerCase())
    .filter((text) => /^v=spf1(\s|$)/.test(text));
  const [record] = records;
  if (record === undefined) return bad("missing", "There is no SPF record at this name.", values);
  if (records.length > 1) {
    return bad(
      "several",
      `${records.length} SPF records exist at this name, which makes SPF fail for all mail (RFC 7208, section 4.5). Merge them into one.`,
      values,
    );
  }
  const terms = record.split(/\s+/).slice(1);
  const end = terms.findIndex((term) => /^[-+~?]?all$/.test(term));
  const read = end < 0 ? terms : terms.slice(0, end);
  const bare = (term: string) => term.replace(/^\+/, "").replace(/\.$/, "");
  const passes = (mechanism: string) => {
    const wanted = bare(mechanism.toLowerCase());
    return read.some((term) => bare(term) === wanted || covers(bare(term), wanted));
  };
  const absent = mechanisms.filter((mechanism) => !passes(mechanism));
  if (absent.length > 0) {
    const late = absent.every((mechanism) => terms.some((term) => bare(term) === bare(mechanism)));
    return bad(
      "different",
      late
        ? `The record names ${absent.join(" and ")} after the all mechanism, where it is not read.`
        : `The record lacks ${absent.join(" and ")}.`,
      values,
    );
  }
  return good(values);
}

/** A DMARC record (RFC 7489, section 6.3) among a host's TXT values; any policy will do. */
export function judgeDmarc(values: string[]): RecordCheck {
  const records = values.map(cleanText).filter((text) => /^v\s*=\s*dmarc1\s*(;|$)/i.test(text));
  const [record] = records;
  if (record === undefined) return bad("missing", "There is no DMARC record at this name.", values);
  if (records.length > 1) {
    return bad(
      "several",
      `${records.length} DMARC records exist at this name, so receivers ignore them all. Keep one.`,
      values,
    );
  }
  const policy = readTags(record).get("p")?.toLowerCase();
  if (policy !== "none" && policy !== "quarantine" && policy !== "reject") {
    return bad(
      "different",
      policy === undefined
        ? "The record has no policy (p=none, p=quarantine or p=reject)."
        : `The record's policy p=${policy.slice(0, 40)} is not one of none, quarantine and reject.`,
      values,
    );
  }
  return good(values);
}

/** A record that asks for reports on TLS (RFC 8460, section 3) among a host's TXT values, to whomever they go. */
export function judgeTlsReporting(values: string[]): RecordCheck {
  const records = values.map(cleanText).filter((text) => /^v\s*=\s*tlsrptv1\s*(;|$)/i.test(text));
  const [record] = records;
  if (record === undefined)
    return bad("missing", "There is no TLS-RPT record at this name.", values);
  if (records.length > 1) {
    return bad(
      "several",
      `${records.length} TLS-RPT records exist at this name: keep one.`,
      values,
    );
  }
  return readTags(record).get("rua")
    ? good(values)
    : bad("different", "The record does not say where to send reports (rua).", values);
}

/** MX records that bring what we wait for to `exchange`: nothing may rank above or equal to it. */
export function judgeMailExchange(
  values: MailExchange[],
  exchange: string,
  subject: "bounces do" | "mail does" = "bounces do",
): RecordCheck {
  const sorted = values.toSorted((left, right) => left.priority - right.priority);
  const foundValues = sorted.map((mx) => `${mx.priority} ${mx.exchange}`);
  const ours = sorted.find((mx) => mx.exchange === exchange);
  if (!ours) {
    return bad(
      "different",
      `The MX records point elsewhere, so ${subject} not reach ${exchange}.`,
      foundValues,
    );
  }
  if (sorted.some((mx) => mx.exchange !== exchange && mx.priority <= ours.priority)) {
    return bad(
      "several",
      `Another MX record takes precedence over ours, so ${subject} not reach ${exchange}.`,
      foundValues,
    );
  }
  return good(foundValues);
}

/** As Amazon SES judges them: `exchange` must be the only one. */
export function judgeOnlyMailExchange(values: MailExchange[], exchange: string): RecordCheck {
  if (values.length < 2) return judgeMailExchange(values, exchange);
  return bad(
    "several",
    `${values.length} MX records exist at this name. Amazon SES wants ${exchange} to be the only one.`,
    values.map((mx) => `${mx.priority} ${mx.exchange}`),
  );
}

/** Judges where a host's alias leads, step by step; it should end at `target`. `addresses`: the host's own. */
export function judgeAlias(
  chain: string[],
  { target, addresses }: { target: string; addresses: string[] },
): RecordCheck {
  if (chain.at(-1) === target) return good(chain);
  if (chain.length > 0) {
    return bad("different", `The CNAME record leads elsewhere, not to ${target}.`, chain);
  }
  if (addresses.length === 0) {
    return bad("missing", "There is no CNAME record at this name.", []);
  }
  return bad(
    "different",
    "The name has addresses and no CNAME record. Where your DNS provider puts a proxy of its own before the name, switch that off for it.",
    addresses,
  );
}
