import { isLoopback } from "@/lib/ground/net/addresses/loopback";

/** Whether this can be the issuer of an identity provider; over http only on this machine. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  if (url.pathname.includes("/.well-known/")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

interface OidcSettings {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_DOMAINS: readonly string[];
  OIDC_ONLY: boolean;
}

/** What is wrong with the settings of sign-in by OpenID Connect taken together; null for nothing. */
export function oidcFault(settings: OidcSettings): string | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_DOMAINS, OIDC_ONLY } = settings;
  const trio = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
  const missing = Object.entries(trio).filter(([, value]) => value === undefined);
  if (missing.length > 0 && missing.length < 3) {
    return `${missing.map(([name]) => name).join(", ")}: is missing; OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together`;
  }
  if (OIDC_DOMAINS.length > 0 && OIDC_ISSUER === undefined) {
    return "OIDC_DOMAINS: is nothing without OIDC_ISSUER";
  }
  // Without domains it would lock out everybody whom the provider does not know, the owner included.
  if (OIDC_ONLY && OIDC_DOMAINS.length === 0) {
    return "OIDC_ONLY: needs OIDC_DOMAINS, whose people it is about";
  }
  return null;
}
