import { encodeId } from "@/lib/ground/ids/ids";
import { unsubscribeAddressOf } from "@/lib/mail/return-path";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { mailUrls } from "@/lib/mail/tracking/urls";
import type { RecipientUrls } from "./campaign-footer";

/** The list a campaign goes to, as its mail names it. */
export interface CampaignList {
  /** uuid */
  id: string;
  name: string;
}

/** `baseUrl`: where the message's links lead. */
export function recipientUrls(emailId: string, baseUrl: string): RecipientUrls {
  const token = recipientToken(emailId);
  const urls = mailUrls(baseUrl);
  return {
    unsubscribeUrl: urls.unsubscribePage(token),
    preferencesUrl: urls.preferences(token),
    viewUrl: urls.view(token),
  };
}

/**
 * List-Unsubscribe (RFC 2369) with an https address for one click (RFC 8058) and, where mail to the domain's
 * return path arrives here, a mailto address; List-Unsubscribe-Post; for mail to a list, List-ID (RFC 2919).
 */
export function campaignHeaders(
  emailId: string,
  {
    domain,
    list,
    baseUrl,
  }: {
    domain: { name: string; readsReturns: boolean };
    list: CampaignList | null;
    baseUrl: string;
  },
): Record<string, string> {
  const addresses = [`<${mailUrls(baseUrl).unsubscribe(recipientToken(emailId))}>`];
  if (domain.readsReturns) {
    const address = unsubscribeAddressOf(emailId, domain.name);
    addresses.push(`<mailto:${address}?subject=unsubscribe>`);
  }
  return {
    "List-Unsubscribe": addresses.join(", "),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    ...(list ? { "List-ID": listId(list, domain.name) } : {}),
  };
}

function listId({ id, name }: CampaignList, domain: string): string {
  const label = encodeId("list", id).replace("_", "-");
  // Only names that are atoms of RFC 5322 as they are: nothing depends on the others.
  const phrase = /^[\w '&+-]{1,60}$/.test(name) ? `${name} ` : "";
  return `${phrase}<${label}.${domain}>`;
}
