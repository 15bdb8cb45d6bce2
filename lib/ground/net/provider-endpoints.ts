import { awsRegion } from "@/lib/ground/providers/aws-schema";

/** Where the providers' APIs are: no settings lead elsewhere. */
const endpoints = {
  resend: "https://api.resend.com",
  postmark: "https://api.postmarkapp.com",
  mailgun: "https://api.mailgun.net",
  "mailgun-eu": "https://api.eu.mailgun.net",
  sendgrid: "https://api.sendgrid.com",
} as const;
/** Amazon's services have an endpoint in each region. */
type AmazonEndpoint = `${"ses" | "sns"}:${string}`;
export type ProviderEndpoint = keyof typeof endpoints | AmazonEndpoint;

const replaced = new Map<ProviderEndpoint, string>();

function isAmazon(name: ProviderEndpoint): name is AmazonEndpoint {
  return name.includes(":");
}

/** Base address, without a trailing slash. Throws for a region that is none. */
export function endpointOf(name: ProviderEndpoint): string {
  const played = replaced.get(name);
  if (played !== undefined) return played;
  if (!isAmazon(name)) return endpoints[name];
  const [service, region = ""] = name.split(":", 2);
  if (!awsRegion.test(region)) throw new Error("This is no region of AWS.");
  return `https://${service === "ses" ? "email" : "sns"}.${region}.amazonaws.com`;
}

/** For tests, which play the provider themselves; null: the real one again. */
export function replaceEndpoint(name: ProviderEndpoint, url: string | null): void {
  if (url === null) replaced.delete(name);
  else replaced.set(name, url);
}
