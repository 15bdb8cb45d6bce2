import type { RecordPurpose } from "@/db/enums";
import type { RecordCheck } from "@/db/schema/domains";
import {
  createResolver,
  type DnsAnswer,
  type DnsResolver,
  type MailExchange,
} from "@/lib/ground/dns/resolver";
import {
  judgeAlias,
  judgeDkim,
  judgeDmarc,
  judgeMailExchange,
  judgeOnlyMailExchange,
  judgeSpf,
  judgeTlsReporting,
} from "./judge";
import {
  appHost,
  bounceExchange,
  dkimHost,
  dmarcHost,
  spfMechanisms,
  tlsReportingHost,
} from "./records";
import { returnPathHost } from "@/lib/mail/return-path";
import { feedbackExchange, sesMechanisms } from "./ses-records";

export type RecordChecks = Partial<Record<RecordPurpose, RecordCheck>>;

/** What a look-up needs to know about a domain. */
export interface LookedUpDomain {
  name: string;
  selector: string;
  dkimPublicKey: string;
  /** Mail to it is taken: the MX record for it is looked up, too. */
  inbound: boolean;
  /** Where its links are to lead, if not to APP_URL's host: whether that host points here is looked up, too. */
  trackingHost: string | null;
  /** From the look-up before. */
  checks: RecordChecks;
}

const dnsWords: Record<string, string> = {
  ETIMEOUT: "did not answer in time",
  ECANCELLED: "did not answer in time",
  ESERVFAIL: "answered with a failure (SERVFAIL)",
  EREFUSED: "refused the query (REFUSED)",
  ECONNREFUSED: "cannot be reached",
};

function unreachable(name: string, reason: string, before: RecordCheck | undefined): RecordCheck {
  return {
    ok: before?.ok ?? false,
    found: before?.found ?? [],
    kind: "unreachable",
    problem: `The name servers of ${name} ${dnsWords[reason] ?? `did not give an answer (${reason})`}. We will try again.`,
  };
}

function valuesOf<Value>(answer: Exclude<DnsAnswer<Value>, { kind: "failed" }>): Value[] {
  return answer.kind === "found" ? answer.values : [];
}

/**
 * DNS panels append the zone to what is typed, so that a pasted full name ends up twice. Says where the
 * record is, if it ended up there.
 */
async function explainMissing(
  resolver: DnsResolver,
  check: RecordCheck,
  host: string,
  zone: string,
  type: "txt" | "cname" | "mx" = "txt",
): Promise<RecordCheck> {
  if (check.kind !== "missing") return check;
  const doubled = await resolver[type](`${host}.${zone}`);
  if (doubled.kind !== "found") return check;
  const short = host.slice(0, -zone.length - 1);
  return {
    ...check,
    problem: `${check.problem} There is one at ${host}.${zone}: your DNS provider appends ${zone} automatically, so enter ${short} as the name.`,
  };
}

async function lookUpText(
  resolver: DnsResolver,
  domain: LookedUpDomain,
  purpose: "DKIM" | "SPF" | "TLS_RPT",
  host: string,
  judge: (values: string[]) => RecordCheck,
): Promise<RecordCheck> {
  const answer = await resolver.txt(host);
  if (answer.kind === "failed") return unreachable(host, answer.reason, domain.checks[purpose]);
  return explainMissing(resolver, judge(valuesOf(answer)), host, domain.name);
}

/** Where the name itself has no policy, that of the nearest name above counts (DMARC's tree walk). */
async function lookUpDmarc(resolver: DnsResolver, domain: LookedUpDomain): Promise<RecordCheck> {
  let own: RecordCheck | undefined;
  const labels = domain.name.split(".");
  // The walk goes on at seven labels, so that a deep name costs no more than eight questions.
  const above = Math.max(1, labels.length - 7);
  for (let skipped = 0; labels.length - skipped >= 2; skipped = Math.max(skipped + 1, above)) {
    const host = dmarcHost(labels.slice(skipped).join("."));
    const answer = await resolver.txt(host);
    if (answer.kind === "failed") return unreachable(host, answer.reason, domain.checks.DMARC);
    const check = judgeDmarc(valuesOf(answer));
    if (skipped === 0) own = check;
    if (check.kind !== "missing") {
      const foundValues =
        skipped === 0 ? check.found : check.found.map((value) => `${host}: ${value}`);
      return { ...check, found: foundValues };
    }
  }
  if (!own) throw new Error("A domain name has at least two labels.");
  return explainMissing(resolver, own, dmarcHost(domain.name), domain.name);
}

const noExchange = "There is no MX record at this name.";

async function lookUpExchange(
  resolver: DnsResolver,
  domain: LookedUpDomain,
  purpose: "RETURN_PATH" | "INBOUND",
): Promise<RecordCheck> {
  const isReturnPath = purpose === "RETURN_PATH";
  const host = isReturnPath ? returnPathHost(domain.name) : domain.name;
  const answer = await resolver.mx(host);
  if (answer.kind === "failed") return unreachable(host, answer.reason, domain.checks[purpose]);
  const values = valuesOf(answer);
  const subject = isReturnPath ? "bounces do" : "mail does";
  if (values.length > 0) return judgeMailExchange(values, bounceExchange(), subject);
  return { ok: false, found: [], kind: "missing", problem: noExchange };
}

/** The records of a MAIL FROM domain at Amazon SES, `host`, below the domain `zone`. Never throws for what DNS does. */
export async function lookUpMailFrom(
  { host, zone, region }: { host: string; zone: string; region: string },
  before: { MX?: RecordCheck; TXT?: RecordCheck },
  resolver: DnsResolver = createResolver(),
): Promise<{ MX: RecordCheck; TXT: RecordCheck }> {
  const [exchanges, texts] = await Promise.all([resolver.mx(host), resolver.txt(host)]);
  const judgeExchanges = (values: MailExchange[]): RecordCheck =>
    values.length === 0
      ? { ok: false, found: [], kind: "missing", problem: noExchange }
      : judgeOnlyMailExchange(values, feedbackExchange(region));
  const [MX, TXT] = await Promise.all([
    exchanges.kind === "failed"
      ? unreachable(host, exchanges.reason, before.MX)
      : explainMissing(resolver, judgeExchanges(valuesOf(exchanges)), host, zone, "mx"),
    texts.kind === "failed"
      ? unreachable(host, texts.reason, before.TXT)
      : explainMissing(resolver, judgeSpf(valuesOf(texts), sesMechanisms), host, zone),
  ]);
  return { MX, TXT };
}

/** An alias of an alias will do: this many steps are followed. */
const mostSteps = 5;

async function lookUpTracking(
  resolver: DnsResolver,
  domain: LookedUpDomain,
  host: string,
): Promise<RecordCheck> {
  const target = appHost();
  const chain: string[] = [];
  for (let name = host; name !== target && chain.length < mostSteps; name = chain.at(-1) ?? "") {
    const answer = await resolver.cname(name);
    if (answer.kind === "failed") return unreachable(name, answer.reason, domain.checks.TRACKING);
    const [next] = valuesOf(answer);
    if (next === undefined || chain.includes(next)) break;
    chain.push(next);
  }
  const found = chain.length === 0 ? await resolver.addresses(host) : null;
  const addresses = found?.kind === "found" ? found.values : [];
  const check = judgeAlias(chain, { target, addresses });
  return explainMissing(resolver, check, host, domain.name, "cname");
}

/**
 * Asks DNS for every record of a domain and judges what it says. Never throws for what DNS does: a
 * server that fails or is silent makes a check `unreachable`, which keeps the result before it.
 */
export async function lookUpRecords(
  domain: LookedUpDomain,
  resolver: DnsResolver = createResolver(),
): Promise<RecordChecks> {
  const { trackingHost } = domain;
  const [DKIM, SPF, RETURN_PATH, DMARC, INBOUND, TLS_RPT, TRACKING] = await Promise.all([
    lookUpText(resolver, domain, "DKIM", dkimHost(domain.selector, domain.name), (values) =>
      judgeDkim(values, domain.dkimPublicKey),
    ),
    lookUpText(resolver, domain, "SPF", returnPathHost(domain.name), (values) =>
      judgeSpf(values, spfMechanisms()),
    ),
    lookUpExchange(resolver, domain, "RETURN_PATH"),
    lookUpDmarc(resolver, domain),
    domain.inbound ? lookUpExchange(resolver, domain, "INBOUND") : null,
    domain.inbound
      ? lookUpText(resolver, domain, "TLS_RPT", tlsReportingHost(domain.name), judgeTlsReporting)
      : null,
    trackingHost === null ? null : lookUpTracking(resolver, domain, trackingHost),
  ]);
  return {
    ...{ DKIM, SPF, RETURN_PATH, DMARC },
    ...(INBOUND && { INBOUND }),
    ...(TLS_RPT && { TLS_RPT }),
    ...(TRACKING && { TRACKING }),
  };
}
