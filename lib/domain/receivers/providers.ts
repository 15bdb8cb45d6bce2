/** Mailbox providers by the domains of their addresses and of the servers that take their customers' mail. */
const providers: Record<string, readonly string[]> = {
  Google: ["gmail.com", "googlemail.com", "google.com"],
  Microsoft: [
    ...["outlook.com", "hotmail.com", "live.com", "msn.com", "outlook.de", "hotmail.de"],
    "mx.microsoft",
  ],
  Yahoo: [
    "yahoodns.net",
    "yahoo.com",
    "ymail.com",
    "rocketmail.com",
    "yahoo.de",
    "yahoo.co.uk",
    "yahoo.fr",
    "aol.com",
  ],
  Apple: ["icloud.com", "me.com", "mac.com"],
  "GMX and WEB.DE": ["gmx.de", "gmx.net", "gmx.at", "gmx.ch", "web.de", "mail.com"],
  "T-Online": ["t-online.de", "magenta.de"],
  Proton: ["proton.me", "protonmail.com", "pm.me", "protonmail.ch"],
  Fastmail: ["fastmail.com", "fastmail.fm", "messagingengine.com"],
  "Mail.ru": ["mail.ru", "bk.ru", "inbox.ru", "list.ru"],
  Yandex: ["yandex.ru", "yandex.com", "ya.ru", "yandex.net"],
  Orange: ["orange.fr", "wanadoo.fr"],
  Comcast: ["comcast.net", "xfinity.com"],
};

const byDomain = new Map(
  Object.entries(providers).flatMap(([name, domains]) =>
    domains.map((domain) => [domain, name] as const),
  ),
);

/** Of a recipient's domain or of who takes its mail, in lower case: a provider many use, else the name itself. */
export const providerOf = (domain: string): string => byDomain.get(domain) ?? domain;

/** The same for a figure that may not have one name per domain: a provider many use, else `other`. */
export const commonProviderOf = (domain: string): string => byDomain.get(domain) ?? "other";

/** The names of all of them. */
export const providerNames: readonly string[] = Object.keys(providers);

/** Their domains. */
export const commonDomains: readonly string[] = [...byDomain.keys()];

/** A common provider's domains, by its name in any case or by one of them; null for anything else. */
export function domainsOfProvider(text: string): readonly string[] | null {
  const wanted = text.toLowerCase();
  const name = byDomain.get(wanted) ?? providerNames.find((one) => one.toLowerCase() === wanted);
  return (name !== undefined && providers[name]) || null;
}
