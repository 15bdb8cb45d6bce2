import { escapeHtml } from "@/lib/ground/escape-html";

/** Where one person unsubscribes, chooses lists and views the mail in a browser. */
export interface RecipientUrls {
  unsubscribeUrl: string;
  preferencesUrl: string;
  viewUrl: string;
}

/** The footer's words in the reader's language. */
export interface FooterWords {
  unsubscribe: string;
  preferences: string;
  /** Why the reader gets it. */
  reason: string;
  dir: "ltr" | "rtl";
}

interface FooterParts {
  urls: RecipientUrls;
  words: FooterWords;
  /** Empty: the mail already says it. */
  reason: string;
  /** Empty: the mail already shows it, or there is none. */
  address: string;
  /** The mail's author left the unsubscribe link to us. */
  wayOut: boolean;
}

/** The end of a campaign's HTML. */
export function htmlFooter({ urls, words, reason, address, wayOut }: FooterParts): string {
  const parts: string[] = [];
  if (reason !== "") parts.push(escapeHtml(reason));
  if (wayOut) {
    const link = (href: string, text: string) =>
      `<a href="${escapeHtml(href)}" style="color:#667085">${escapeHtml(text)}</a>`;
    parts.push(
      `${link(urls.unsubscribeUrl, words.unsubscribe)} &middot; ${link(urls.preferencesUrl, words.preferences)}`,
    );
  }
  if (address !== "") parts.push(escapeHtml(address).replaceAll("\n", "<br>"));
  if (parts.length === 0) return "";
  const lines = parts.map((part) => `<p style="margin:0 0 8px">${part}</p>`).join("");
  return `<div dir="${words.dir}" style="clear:both;padding:24px 16px;text-align:center;font:12px/18px Arial,Helvetica,sans-serif;color:#667085">${lines}</div>`;
}

/** The same as plain text. */
export function textFooter({ urls, words, reason, address, wayOut }: FooterParts): string {
  const parts: string[] = [];
  if (reason !== "") parts.push(reason);
  if (wayOut) {
    const { unsubscribe, preferences } = words;
    parts.push(`${unsubscribe}: ${urls.unsubscribeUrl}\n${preferences}: ${urls.preferencesUrl}`);
  }
  if (address !== "") parts.push(address);
  return parts.length === 0 ? "" : `\n\n--\n${parts.join("\n\n")}\n`;
}

// Invisible: otherwise mail programs fill the preview with the first words of the body.
const previewFiller = "&#8199;&#847;".repeat(40);

/** Shown beside the subject in the inbox, and nowhere in the mail itself. */
export function previewBlock(previewText: string): string {
  if (previewText.trim() === "") return "";
  return `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">${escapeHtml(previewText)}${previewFiller}</div>`;
}
