import { isValid as isLasting } from "mailchecker";
import { editDistance } from "@/lib/ground/nearest-name";
import { domainOf } from "@/lib/mail/address";

/** What should be pointed out about an address before it is taken. */
export type AddressAdvice =
  | { kind: "typo"; suggestion: string }
  | { kind: "disposable"; domain: string };

/** Where most people have their mailbox, so most typos are close to one of these. */
const mailDomains: readonly string[] = [
  ...[
    "gmail.com",
    "googlemail.com",
    "yahoo.com",
    "yahoo.de",
    "yahoo.fr",
    "yahoo.es",
    "yahoo.co.uk",
  ],
  ...["outlook.com", "outlook.de", "outlook.fr", "outlook.es", "hotmail.com", "hotmail.de"],
  ...["hotmail.fr", "hotmail.es", "hotmail.co.uk", "live.com", "live.de", "live.fr", "msn.com"],
  ...["icloud.com", "aol.com", "gmx.de", "gmx.net", "gmx.at", "gmx.ch", "web.de", "t-online.de"],
  ...["freenet.de", "posteo.de", "mailbox.org", "proton.me", "protonmail.com", "orange.fr"],
  ...["wanadoo.fr", "laposte.net", "free.fr", "sfr.fr", "telefonica.net", "terra.es", "wp.pl"],
  ...["onet.pl", "interia.pl", "o2.pl", "gazeta.pl", "op.pl", "bluewin.ch", "libero.it", "me.com"],
  ...["mac.com", "comcast.net", "verizon.net", "btinternet.com", "ymail.com", "mail.com"],
];
const knownDomains = new Set(mailDomains);

/** Shorter names are too close to other people's real domains. */
const shortestGuessed = 7;

/** Providers with a single ending: others use the same name in several countries. */
const oneEnding = new Set(["gmail.com", "icloud.com"]);
const nameIn = (domain: string) => domain.split(".", 1)[0];

/** One typing slip away, and not the same provider in another country (hotmail.se, hotmail.es). */
function isSlipFor(domain: string, meant: string): boolean {
  if (editDistance(domain, meant) !== 1) return false;
  const elsewhere = nameIn(domain) === nameIn(meant) && /\.[a-z]{2}$/.test(domain);
  return !elsewhere || oneEnding.has(meant);
}

function meantDomain(domain: string): string | null {
  if (knownDomains.has(domain) || domain.length < shortestGuessed) return null;
  return mailDomains.find((meant) => isSlipFor(domain, meant)) ?? null;
}

/** null when there is nothing. Expects an address that normalizeAddress has accepted. */
export function adviceOn(email: string): AddressAdvice | null {
  const domain = domainOf(email);
  const meant = meantDomain(domain);
  if (meant !== null) {
    return { kind: "typo", suggestion: `${email.slice(0, email.lastIndexOf("@"))}@${meant}` };
  }
  // Only the domain of the address is checked.
  return isLasting(`a@${domain}`) ? null : { kind: "disposable", domain };
}
