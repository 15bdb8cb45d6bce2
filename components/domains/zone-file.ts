import type { DomainRecord } from "@/lib/domain/sending-domains/schema";

/** A TXT record holds strings of at most 255 characters; receivers join them (RFC 7208, section 3.3). */
function quoted(value: string): string {
  return (value.match(/.{1,255}/g) ?? [""]).map((part) => `"${part}"`).join(" ");
}

/** Records as lines of a zone file (RFC 1035, section 5), which many DNS providers import. */
export function zoneFile(
  records: readonly Pick<DomainRecord, "type" | "name" | "value" | "priority">[],
): string {
  const lines = records.map(({ type, name, value, priority }) => {
    if (type === "MX") return `${name}. 3600 IN MX ${priority ?? 10} ${value}.`;
    if (type === "CNAME") return `${name}. 3600 IN CNAME ${value}.`;
    return `${name}. 3600 IN TXT ${quoted(value)}`;
  });
  // Two accounts at Amazon SES in one region ask for the same records.
  return [...new Set(lines)].join("\n");
}
