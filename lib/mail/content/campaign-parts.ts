import { encodeId } from "@/lib/ground/ids/ids";
import { escapeHtml } from "./rewrite-html";
import { recipientToken, trackingUrls } from "@/lib/mail/tracking/tokens";
import { unsubscribeAddressOf } from "@/lib/mail/return-path";

/** The list a campaign goes to, as its mail names it. */
export interface CampaignList {
  /** uuid */
  id: string;
  name: string;
}

/** Where one person unsubscribes, chooses lists and views the mail in a browser. */
export interface RecipientUrls {
  unsubscribeUrl: string;
  preferencesUrl: string;
  viewUrl: string;
}

export function recipientUrls(emailId: string): RecipientUrls {
  const token = recipientToken(emailId);
  return {
    unsubscribeUrl: trackingUrls.unsubscribePage(token),
    preferencesUrl: trackingUrls.preferences(token),
    viewUrl: trackingUrls.view(token),
  };
}

/** The end of a campaign's HTML. `wayOut`: its author left the unsubscribe link to us. */
export function htmlFooter(urls: RecipientUrls, address: string, wayOut: boolean): string {
  const parts: string[] = [];
  if (wayOut) {
    const link = (href: string, text: string) =>
      `<a href="${escapeHtml(href)}" style="color:#667085">${text}</a>`;
    parts.push(
      `${link(urls.unsubscribeUrl, "Unsubscribe")} &middot; ${link(urls.preferencesUrl, "Manage preferences")}`,
    );
  }
  if (address !== "") parts.push(escapeHtml(address).replaceAll("\n", "<br>"));
  if (parts.length === 0) return "";
  const lines = parts.map((part) => `<p style="margin:0 0 8px">${part}</p>`).join("");
  return `<div style="clear:both;padding:24px 16px;text-align:center;font:12px/18px Arial,Helvetica,sans-serif;color:#667085">${lines}</div>`;
}

/** The same as plain text. */
export function textFooter(urls: RecipientUrls, address: string, wayOut: boolean): string {
  const parts: string[] = [];
  if (wayOut) {
    parts.push(`Unsubscribe: ${urls.unsubscribeUrl}\nManage preferences: ${urls.preferencesUrl}`);
  }
  if (address !== "") parts.push(address);
  return parts.length === 0 ? "" : `\n\n--\n${parts.join("\n\n")}\n`;
}

// Invisible: otherwise mail programs fill up the preview with the first words of the body.
const previewFiller = "&#8199;&#847;".repeat(40);

/** Shown beside the subject in the inbox, and nowhere in the mail itself. */
export function previewBlock(previewText: string): string {
  if (previewText.trim() === "") return "";
  return `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">${escapeHtml(previewText)}${previewFiller}</div>`;
}

/**
 * List-Unsubscribe with one https address (RFC 8058), List-Unsubscribe-Post and, for mail to a list,
 * List-ID (RFC 2919). A mailto stands beside it only where mail to the return path reaches us.
 */
export function campaignHeaders(
  emailId: string,
  options: { domain: string; mailto: boolean; list: CampaignList | null },
): Record<string, string> {
  const { domain, mailto, list } = options;
  const ways = [`<${trackingUrls.unsubscribe(recipientToken(emailId))}>`];
  if (mailto) ways.push(`<mailto:${unsubscribeAddressOf(emailId, domain)}?subject=unsubscribe>`);
  return {
    "List-Unsubscribe": ways.join(", "),
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
