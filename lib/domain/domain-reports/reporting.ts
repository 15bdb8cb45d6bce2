import type { Dmarc } from "./schema";
import type { DomainRow } from "@/lib/domain/sending-domains/domains";
import { bounceExchange, dmarcHost } from "@/lib/domain/sending-domains/records";
import { reportAddressOf } from "@/lib/mail/domain-reports/address";

type Reporting = Dmarc["reporting"];

/** Name and value of each tag of a record, in order. */
function tagsOf(record: string): (readonly [name: string, value: string])[] {
  return record.split(";").flatMap((part) => {
    const at = part.indexOf("=");
    const name = part.slice(0, at).trim().toLowerCase();
    return at < 1 || name === "" ? [] : [[name, part.slice(at + 1).trim()] as const];
  });
}

/** The policy found in DNS: the domain's own, else the one it inherits from a parent domain. */
function foundRecord({ name, checks }: DomainRow): { text: string; own: boolean } | null {
  const { DMARC } = checks;
  const [text] = DMARC?.ok ? DMARC.found : [];
  if (text === undefined) return null;
  const above = /^_dmarc\.\S+: /.exec(text)?.[0];
  if (!above) return { text, own: true };
  return { text: text.slice(above.length), own: above.startsWith(`${dmarcHost(name)}:`) };
}

function policyOf(value: string | undefined): Reporting["policy"] {
  const policy = value?.toLowerCase();
  return policy === "none" || policy === "quarantine" || policy === "reject" ? policy : null;
}

/** What makes receivers report on a domain: its record, with our address added. */
export function reportingOf(domain: DomainRow): Reporting {
  const address = reportAddressOf("dmarc", domain);
  const [local = ""] = address.split("@");
  const elsewhere = `${local}@${bounceExchange()}`;
  const record = foundRecord(domain);
  const tags = new Map(record ? tagsOf(record.text) : []);
  const policy = policyOf((record && !record.own && tags.get("sp")) || tags.get("p"));
  const reportsTo = (tags.get("rua") ?? "").toLowerCase();
  const published =
    record?.own === true &&
    [address, elsewhere].some((one) => reportsTo.includes(`mailto:${one.toLowerCase()}`));
  const rua = record?.own ? tags.get("rua") : undefined;
  const wanted = new Map(record?.own ? tags : [["v", "DMARC1"] as const]);
  wanted.set("p", policy ?? "none");
  if (!published) wanted.set("rua", [...(rua ? [rua] : []), `mailto:${address}`].join(","));
  return {
    address,
    published,
    policy,
    record: {
      name: dmarcHost(domain.name),
      value: [...wanted].map(([name, value]) => `${name}=${value};`).join(" "),
    },
    elsewhere: {
      address: elsewhere,
      authorization: {
        name: `${domain.name}._report._dmarc.${bounceExchange()}`,
        value: "v=DMARC1;",
      },
    },
  };
}
