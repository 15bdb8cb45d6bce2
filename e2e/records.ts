import type { DnsServer } from "@/lib/testing/dns-server";

/** A record as the API says to publish it. */
export interface PublishedRecord {
  type: string;
  name: string;
  value: string;
  priority?: number;
}

/** Publishes a domain's records. Long texts come as several strings: one holds 255 bytes at most. */
export function publish(dns: DnsServer, records: PublishedRecord[]): void {
  for (const { type, name, value, priority } of records) {
    if (type === "TXT") dns.txt(name, value.match(/.{1,200}/g) ?? []);
    else if (type === "CNAME") dns.cname(name, value);
    else dns.mx(name, { priority: priority ?? 10, exchange: value });
  }
}
