import { env } from "@/lib/ground/env/env";
import { insertIntoHtml, type WebLink } from "./rewrite-html";
import { mailUrls } from "@/lib/mail/tracking/urls";
import { withUtm } from "@/lib/mail/tracking/utm";
import { languageIn, textsFor, type Texts } from "@/lib/ground/texts/texts";
import type { FooterWords, RecipientUrls } from "./campaign-footer";
import { campaignHeaders, recipientUrls } from "./campaign-headers";
import type { AddressedEmail } from "./addressed-email";
import type { MessageContent, MessageContents } from "./message-contents";
import type { Draft, DraftHtml, DraftRecipient, DraftSource } from "./draft";
import { renderDraft } from "./rendering";
import { contactVariables } from "./variables";

/** What one person gets. */
export interface ComposedContent {
  subject: string;
  html: string | null;
  text: string | null;
  /** In addition to the message's own. */
  headers: Record<string, string>;
}

export interface ComposeOptions {
  /** false: for display. */
  tracked?: boolean;
  /** Is passed the rendering, which may have to wait for a thread. */
  whileRendering?: (draft: Promise<Draft>) => Promise<Draft>;
}

/**
 * Makes what one recipient gets: rendered, with tracked links and a pixel where the message asks for
 * them, and with a campaign's headers; the same every time. `tracked: false` is for display: looking
 * at it is not reading it. Throws VALIDATION_ERROR when the template is at fault.
 */
export async function composeContent(
  message: MessageContent,
  email: AddressedEmail,
  contents: MessageContents,
  { tracked = true, whileRendering = (draft) => draft }: ComposeOptions = {},
): Promise<ComposedContent> {
  const { subject, text, html } = await whileRendering(
    renderDraft(message.projectId, sourceOf(message), recipientOf(message, email)),
  );
  const { campaignId, domain, list, baseUrl } = message;
  return {
    subject,
    text,
    html:
      html && (tracked ? await trackedHtml(message, email, contents, html) : untrackedHtml(html)),
    headers:
      campaignId !== null && domain ? campaignHeaders(email.id, { domain, list, baseUrl }) : {},
  };
}

const sources = new WeakMap<MessageContent, DraftSource>();

function sourceOf(message: MessageContent): DraftSource {
  let source = sources.get(message);
  if (!source) {
    const { subject, html, text, previewText, liquid, postalAddress, project } = message;
    const { campaignId, trackOpens, trackClicks, utm } = message;
    const campaign = campaignId !== null;
    const scan = campaign || trackOpens || trackClicks || utm !== null;
    source = {
      ...{ subject, html, text, previewText, liquid, campaign, scan },
      ...{ data: campaign ? null : message.data },
      ...{ postalAddress, mailReason: project.mailReason },
    };
    sources.set(message, source);
  }
  return source;
}

function recipientOf(message: MessageContent, email: AddressedEmail): DraftRecipient {
  const urls = recipientUrls(email.id, message.baseUrl);
  const footer = footerWords(message, email);
  return {
    variables: variablesFor(message, email, urls, footer.reason),
    urls,
    footer,
    now: email.date,
  };
}

/** By language and by how people joined: the same for all of a message's readers who share both. */
const footers = new WeakMap<MessageContent, Map<string, FooterWords>>();

/** In the reader's language where it is known, otherwise in the project's. */
function footerWords(message: MessageContent, { contact, joinedBy }: AddressedEmail): FooterWords {
  const texts = textsFor(languageIn(contact?.data), message.project.language);
  const ofMessage = footers.get(message) ?? new Map<string, FooterWords>();
  footers.set(message, ofMessage);
  const key = `${texts.language} ${joinedBy}`;
  let words = ofMessage.get(key);
  if (!words) {
    words = {
      unsubscribe: texts.text("footer.unsubscribe"),
      preferences: texts.text("footer.preferences"),
      reason: reasonFor(message, texts, joinedBy),
      dir: texts.dir,
    };
    ofMessage.set(key, words);
  }
  return words;
}

/**
 * Why somebody gets a campaign: in the project's words, or by how they joined its list or the project.
 */
function reasonFor(
  { campaignId, list, project }: MessageContent,
  { text }: Texts,
  joinedBy: AddressedEmail["joinedBy"],
): string {
  if (campaignId === null) return "";
  if (project.mailReason !== "") return project.mailReason;
  const names = { project: project.name, list: list?.name ?? "" };
  if (joinedBy === null) return text("footer.reason.contact", names);
  return list
    ? text(`footer.reason.${joinedBy}`, names)
    : text(`footer.reason.contact.${joinedBy}`, names);
}

/**
 * All but the request's data. Nothing of a person can overwrite our addresses, but the request's data can. A list's
 * own fields are named by their tags.
 */
function variablesFor(
  message: MessageContent,
  email: AddressedEmail,
  urls: RecipientUrls,
  mailReason: string,
): Record<string, unknown> {
  const { contact, listFields } = email;
  const own = contactVariables(contact, null);
  if (message.campaignId === null) return { ...own, ...urls };
  return {
    ...own,
    ...(contact
      ? { EMAIL: contact.email, FIRST_NAME: contact.firstName, LAST_NAME: contact.lastName }
      : {}),
    ...listFields,
    ...urls,
    postalAddress: message.postalAddress,
    mailReason,
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
  const urls = mailUrls(message.baseUrl);
  const prefixes = ownPrefixes(message.baseUrl);
  const isOurs = ({ url }: WebLink) => prefixes.some((prefix) => url.startsWith(prefix));
  const targets = new Map<string, string>();
  for (const link of scanned.links) {
    if (!isOurs(link)) targets.set(link.url, utm ? withUtm(link.url, utm) : link.url);
  }
  const tracked = scanned.links.filter((link) => trackClicks && !link.untracked);
  const trackedUrls = new Set(tracked.flatMap(({ url }) => targets.get(url) ?? []));
  const ids = trackedUrls.size > 0 ? await contents.links.idsOf(message, trackedUrls) : null;
  const links = trackedUrls.size;
  const clickUrls = new Map<bigint, string>();
  const clickUrl = (linkId: bigint) => {
    let url = clickUrls.get(linkId);
    if (url === undefined) {
      url = urls.click({ emailId: email.id, linkId, links });
      clickUrls.set(linkId, url);
    }
    return url;
  };
  const pixel = trackOpens
    ? `<img src="${urls.open(email.id)}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`
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
function ownPrefixes(baseUrl: string): string[] {
  return [...new Set([env().APP_URL, baseUrl])].flatMap((base) =>
    ["preferences", "view", "confirm", "t"].map((path) => `${base}/${path}/`),
  );
}
