import type { DnsResolver } from "@/lib/ground/dns/resolver";

/** Who runs a mail server: `google.com` of `aspmx.l.google.com`, `example.co.uk` of `mx1.example.co.uk`. */
export function operatorOf(host: string): string {
  const labels = host.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join(".");
}

/** Who takes the mail for a domain, by its first MX; the domain itself without one, null while nobody can tell. */
export async function lookUpReceiver(
  resolver: DnsResolver,
  domain: string,
): Promise<string | null> {
  const answer = await resolver.mx(domain);
  if (answer.kind === "failed") return null;
  if (answer.kind !== "found") return domain;
  const [first] = answer.values.toSorted((a, b) => a.priority - b.priority);
  return first ? operatorOf(first.exchange.toLowerCase()) : domain;
}
