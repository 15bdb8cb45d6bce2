import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { TlsaRecord, ValidatingResolver } from "@/lib/ground/dns/validating-resolver";

const keptHosts = 20_000;
const leastSeconds = 10;
const mostSeconds = 300;
/** After what could not be found out. */
const unknownSeconds = 30;
const digestBytes: Record<number, number> = { 1: 32, 2: 64 };

/** The records that a host's certificate has to match, and the names it may carry, the TLSA record's first. */
export interface DaneProof {
  kind: "dane";
  records: readonly TlsaRecord[];
  names: readonly string[];
  /** Equal for equal records and names. */
  key: string;
}

/**
 * What a host's TLS has to prove before it is given mail. any: nothing, clear text will do. encrypted: TLS, whatever
 * the certificate. certificate: a valid one. dane: one that its TLSA records name (RFC 7672). unknown: it cannot be
 * found out, so that the host must not be used now.
 */
export type TlsDemand =
  | { kind: "any" | "encrypted" | "certificate" }
  | DaneProof
  | { kind: "unknown"; words: string };

interface Found {
  demand: TlsDemand;
  seconds: number;
}

/** What hosts in signed zones say of their certificates. */
export class DaneHosts {
  readonly #resolver: ValidatingResolver;
  readonly #found = new LRUCache<string, Promise<Found>>({ max: keptHosts });

  constructor(resolver: ValidatingResolver) {
    this.#resolver = resolver;
  }

  /** For a host that a validated answer named; `seconds`: for how long it holds. Never throws. */
  async find(host: string): Promise<Found> {
    const kept = this.#found.get(host);
    if (kept) return kept;
    const looking = this.#lookUp(host);
    this.#found.set(host, looking);
    const found = await looking;
    this.#found.set(host, looking, { ttl: found.seconds * 1000 });
    return found;
  }

  async #lookUp(host: string): Promise<Found> {
    const [addresses, canonical] = await Promise.all([
      this.#resolver.addresses(host),
      this.#resolver.canonicalName(host),
    ]);
    if (addresses.kind === "failed") return unknown(`The addresses of ${host}`, addresses.reason);
    if (canonical.kind === "failed") return unknown(`The addresses of ${host}`, canonical.reason);
    if (addresses.kind === "none") return { demand: { kind: "any" }, seconds: leastSeconds };
    const [last = host] = canonical.kind === "found" ? canonical.values : [];
    const secure = addresses.secure && (last === host || canonical.secure);
    let bases = secure ? [...new Set([last, host])] : [];
    if (!secure && last !== host) {
      // Its own zone may be signed although the alias leads out of it (RFC 7672, section 2.2.2).
      const alias = await this.#resolver.alias(host);
      if (alias.kind === "failed") return unknown(`The alias ${host}`, alias.reason);
      if (alias.secure) bases = [host];
    }
    for (const base of bases) {
      const answer = await this.#resolver.tlsa(`_25._tcp.${base}`);
      if (answer.kind === "failed") return unknown(`The TLSA records of ${base}`, answer.reason);
      if (answer.kind === "found" && answer.secure) {
        return { demand: demandOf(answer.values, [base, host]), seconds: bounded(answer.seconds) };
      }
    }
    return { demand: { kind: "any" }, seconds: bounded(addresses.seconds) };
  }
}

const bounded = (seconds: number) => Math.max(leastSeconds, Math.min(mostSeconds, seconds));

function unknown(what: string, reason: string): Found {
  const words = `${what} could not be looked up (${reason}), so it is not known what its TLS has to prove.`;
  return { demand: { kind: "unknown", words }, seconds: unknownSeconds };
}

function demandOf(records: readonly TlsaRecord[], names: readonly string[]): TlsDemand {
  const usable = strongest(records.filter(isUsable));
  return usable.length === 0 ? { kind: "encrypted" } : proofOf(usable, names);
}

function proofOf(records: readonly TlsaRecord[], given: readonly string[]): DaneProof {
  const names = [...new Set(given)];
  const words = records
    .map(({ usage, selector, matching, data }) =>
      [usage, selector, matching, data.toString("hex")].join(" "),
    )
    .toSorted();
  const key = createHash("sha256")
    .update([...words, ...names].join("\n"))
    .digest("base64url");
  return { kind: "dane", records, names, key };
}

/**
 * The same proof for one of the domains whose mail the host takes: under a record of an authority its certificate may
 * name that domain instead (RFC 7672, section 3.2.2), so that sessions are then of that domain alone.
 */
export function forDomain(demand: TlsDemand, domain: string): TlsDemand {
  if (demand.kind !== "dane" || demand.records.some(({ usage }) => usage === 3)) return demand;
  return proofOf(demand.records, [...demand.names, domain]);
}

/** Usages 0 and 1 say nothing between mail servers (RFC 7672, section 3.1.3). */
function isUsable({ usage, selector, matching, data }: TlsaRecord): boolean {
  const length = digestBytes[matching] ?? data.length;
  return (
    (usage === 2 || usage === 3) &&
    selector <= 1 &&
    matching <= 2 &&
    data.length === length &&
    length > 0
  );
}

/** Of several digests of one thing only the strongest counts (RFC 7671, section 9). */
function strongest(records: readonly TlsaRecord[]): TlsaRecord[] {
  return records.filter(
    ({ usage, selector, matching }) =>
      matching !== 1 ||
      !records.some((r) => r.usage === usage && r.selector === selector && r.matching === 2),
  );
}
