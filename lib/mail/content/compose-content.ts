import { env } from "@/lib/ground/env/env";
import { insertIntoHtml, type WebLink } from "./rewrite-html";
import { trackingUrls } from "@/lib/mail/tracking/tokens";
import { withUtm } from "@/lib/mail/tracking/utm";
import { campaignHeaders } from "./campaign-headers";
import type { AddressedEmail } from "./addressed-email";
import type { MessageContent, MessageContents } from "./message-contents";
import { draftContent, type DraftHtml, type RenderedContent } from "./draft";

/** What one person gets. */
export interface ComposedContent extends RenderedContent {
  /** Besides the message's own. */
  headers: Record<string, string>;
}

/**
 * Makes what one recipient gets: rendered, with tracked links and a pixel where the message asks for
 * them, and with a campaign's headers; the same every time. `tracked: false` is for display: whoever looks
 * at it is not its reader. Throws VALIDATION_ERROR when the template is at fault.
 */
export async function composeContent(
  message: MessageContent,
  email: AddressedEmail,
  contents: MessageContents,
  { tracked = true } = {},
): Promise<ComposedContent> {
  const { subject, text, html } = draftContent(message, email);
  const { campaignId, domain, list } = message;
  return {
    subject,
    text,
    html:
      html && (tracked ? await trackedHtml(message, email, contents, html) : untrackedHtml(html)),
    headers:
      campaignId !== null && domain ? campaignHeaders(email.id, { domain: domain.name, list }) : {},
  };
}

function untrackedHtml({ source, scanned, first, last }: DraftHtml): string {
  return insertIntoHtml(source, scanned, { hrefFor: () => null, first, last });
}

async function trackedHtml(
  message: MessageContent,
  email: AddressedEmail,
  contents: MessageContents,
  { source, scanned, first, last }: DraftHtml,
): Promise<string> {
  const { utm, trackClicks, trackOpens } = message;
  const prefixes = ownPrefixes();
  const isOurs = ({ url }: WebLink) => prefixes.some((prefix) => url.startsWith(prefix));
  const targets = new Map<string, string>();
  for (const link of scanned.links) {
    if (!isOurs(link)) targets.set(link.url, utm ? withUtm(link.url, utm) : link.url);
  }
  const tracked = scanned.links.filter((link) => trackClicks && !link.untracked);
  const trackedUrls = new Set(tracked.flatMap(({ url }) => targets.get(url) ?? []));
  const ids = trackedUrls.size > 0 ? await contents.links.idsOf(message, trackedUrls) : null;
  const links = trackedUrls.size;
  const clickUrls = new Map<number, string>();
  const clickUrl = (linkId: number) => {
    let url = clickUrls.get(linkId);
    if (url === undefined) {
      url = trackingUrls.click({ emailId: email.id, linkId, links });
      clickUrls.set(linkId, url);
    }
    return url;
  };
  const pixel = trackOpens
    ? `<img src="${trackingUrls.open(email.id)}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`
    : "";
  return insertIntoHtml(source, scanned, {
    hrefFor: (link) => {
      const target = targets.get(link.url);
      if (target === undefined) return null;
      const id = link.untracked ? null : ids?.get(target);
      if (id !== null && id !== undefined) return clickUrl(id);
      return target === link.url ? null : target;
    },
    first,
    last: last + pixel,
  });
}

/** Addresses that already lead to us: unsubscribing, viewing, and links that are tracked. */
function ownPrefixes(): string[] {
  return ["preferences", "view", "confirm", "t"].map((path) => `${env().APP_URL}/${path}/`);
}
