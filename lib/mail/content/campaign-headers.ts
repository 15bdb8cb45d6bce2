import { encodeId } from "@/lib/ground/ids/ids";
import { recipientToken, trackingUrls } from "@/lib/mail/tracking/tokens";
import type { RecipientUrls } from "./campaign-footer";

/** The list a campaign goes to, as its mail names it. */
export interface CampaignList {
  /** uuid */
  id: string;
  name: string;
}

export function recipientUrls(emailId: string): RecipientUrls {
  const token = recipientToken(emailId);
  return {
    unsubscribeUrl: trackingUrls.unsubscribePage(token),
    preferencesUrl: trackingUrls.preferences(token),
    viewUrl: trackingUrls.view(token),
  };
}

/**
 * List-Unsubscribe with one https address (RFC 8058), List-Unsubscribe-Post and, for mail to a list,
 * List-ID (RFC 2919). No mailto beside it: nobody here reads mail, and what it asks would go unheard.
 */
export function campaignHeaders(
  emailId: string,
  { domain, list }: { domain: string; list: CampaignList | null },
): Record<string, string> {
  return {
    "List-Unsubscribe": `<${trackingUrls.unsubscribe(recipientToken(emailId))}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    ...(list ? { "List-ID": listId(list, domain) } : {}),
  };
}

function listId({ id, name }: CampaignList, domain: string): string {
  const label = encodeId("list", id).replace("_", "-");
  // Only names that are atoms of RFC 5322 as they are: nothing depends on the others.
  const phrase = /^[\w '&+-]{1,60}$/.test(name) ? `${name} ` : "";
  return `${phrase}<${label}.${domain}>`;
}
