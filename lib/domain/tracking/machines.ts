import { BlockList, isIP } from "node:net";

/*
 * Programs that fetch the pictures and links of mail that nobody is looking at. Only those known for certain: a
 * library's agent (curl, a language's client) or a fast fetch proves nothing.
 */

/** Prefetch of mailbox providers: at delivery, whether the mail is ever opened or not. */
const prefetchAgents = [
  // Apple's Mail Privacy Protection sends nothing more than this.
  /^Mozilla\/5\.0$/,
  // Gmail's prefetch; its image proxy, which fetches when a mail is opened, calls itself GoogleImageProxy.
  /Edge\/12\.246 Mozilla\/5\.0$/,
];

/**
 * Filters that follow links, makers of previews, and crawlers. Not HeadlessChrome: filters that drive a browser do
 * not admit it, whereas people testing their mail do. Nor Cubot, a maker of phones.
 */
const scannerAgents =
  /barracuda|mimecast|proofpoint|messagelabs|symantec|trend ?micro|fireeye|forcepoint|zscaler|sophos|bitdefender|kaspersky|fortiguard|cloudmark|ironport|safe ?browsing|google-safety|googleother|\bms-?safelinks|existence discovery|bingpreview|skypeuripreview|facebookexternalhit|whatsapp\/|embedly|[a-z](?<!\bcu)bot\b|bot\/|crawler|spider|urlscan|virustotal|link ?check/i;

/** Fetch for people who open the mail, from addresses of their own. */
const imageProxies = /GoogleImageProxy|YahooMailProxy|ggpht\.com|yahoo mail proxy/i;
const isImageProxy = (agent: string) =>
  imageProxies.test(agent) || (/DuckDuckGo/i.test(agent) && /proxy/i.test(agent));

/** Networks of mail filters, from which no person reads mail. */
const scannerNetworks = [
  // Barracuda
  "64.235.144.0/20",
  "209.222.80.0/21",
  // Proofpoint
  "67.231.144.0/20",
  "148.163.128.0/19",
  "185.132.180.0/22",
  "205.220.160.0/20",
  // Mimecast
  "91.220.42.0/24",
  "146.101.78.0/24",
  "170.10.128.0/21",
  "185.58.84.0/22",
  "195.130.217.0/24",
  "205.139.110.0/23",
  "207.211.30.0/23",
  // Symantec, MessageLabs
  "67.219.240.0/20",
  "85.158.136.0/21",
  "95.131.104.0/21",
  "117.120.16.0/21",
  "193.109.254.0/23",
  "194.106.220.0/23",
  "195.245.230.0/23",
  "216.82.240.0/20",
  // Trend Micro
  "150.70.0.0/16",
  "216.104.0.0/19",
  // Cisco
  "68.232.128.0/19",
  "204.15.80.0/22",
  // Microsoft 365, Exchange Online Protection
  "40.92.0.0/14",
  "40.107.0.0/16",
  "52.100.0.0/14",
  "104.47.0.0/17",
];

const networks = new BlockList();
for (const network of scannerNetworks) {
  const [address = "", bits] = network.split("/");
  networks.addSubnet(address, Number(bits), "ipv4");
}

/** Who requested a pixel or a link. */
export interface Visitor {
  userAgent: string;
  /** An IP address, or anything else where it is not known. */
  address: string;
}

/** Whether the request came from a machine known by its agent or its network. */
export function isMachine({ userAgent, address }: Visitor): boolean {
  if (prefetchAgents.some((agent) => agent.test(userAgent)) || scannerAgents.test(userAgent)) {
    return true;
  }
  const plain = address.replace(/^::ffff:/i, "");
  return isIP(plain) === 4 && networks.check(plain, "ipv4");
}

/** The person's own address; null behind a proxy of their mailbox provider, and where it is not known. */
export function ownAddress({ userAgent, address }: Visitor): string | null {
  const plain = address.replace(/^::ffff:/i, "");
  return isIP(plain) === 0 || isImageProxy(userAgent) ? null : plain;
}
