/** Where the providers' APIs are: no settings lead elsewhere. */
const endpoints = {
  resend: "https://api.resend.com",
  postmark: "https://api.postmarkapp.com",
  mailgun: "https://api.mailgun.net",
  "mailgun-eu": "https://api.eu.mailgun.net",
  sendgrid: "https://api.sendgrid.com",
} as const;
export type ProviderEndpoint = keyof typeof endpoints;

const replaced = new Map<ProviderEndpoint, string>();

/** Base address, without a trailing slash. */
export function endpointOf(name: ProviderEndpoint): string {
  return replaced.get(name) ?? endpoints[name];
}

/** For tests, which play the provider themselves; null: the real one again. */
export function replaceEndpoint(name: ProviderEndpoint, url: string | null): void {
  if (url === null) replaced.delete(name);
  else replaced.set(name, url);
}
