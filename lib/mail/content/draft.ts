import { compileTemplate, contactVariables, renderTemplate, type CompiledTemplate } from "./liquid";
import { scanHtml, type ScannedHtml } from "./rewrite-html";
import { htmlFooter, previewBlock, textFooter, type RecipientUrls } from "./campaign-footer";
import { recipientUrls } from "./campaign-headers";
import type { AddressedEmail } from "./addressed-email";
import type { MessageContent } from "./message-contents";
import { textFromHtml, textTemplateFromHtml } from "./plain-text";

/** What one person gets. */
export interface RenderedContent {
  subject: string;
  html: string | null;
  text: string | null;
}

/** What one person gets, before the HTML is put together. */
export interface Draft {
  subject: string;
  text: string | null;
  html: DraftHtml | null;
}

export interface DraftHtml {
  source: string;
  scanned: ScannedHtml;
  /** Added at the beginning and at the end of the body. */
  first: string;
  last: string;
}

interface CompiledMessage {
  subject: CompiledTemplate;
  html: CompiledTemplate | null;
  /** null: made from the rendered HTML. */
  text: CompiledTemplate | null;
  preview: CompiledTemplate | null;
  /** The author put the sender's postal address in, by hand or as `{{ postalAddress }}`. */
  showsAddress: { html: boolean; text: boolean };
}

const compiledMessages = new WeakMap<MessageContent, CompiledMessage>();
/** A message's last HTML, scanned: most transactional mail is the same for everyone. */
const lastScans = new WeakMap<MessageContent, { html: string; scanned: ScannedHtml }>();

/** Only campaigns have a footer: for other mail, most of it sent once, converting it to text is too dear. */
function addressIn({ campaignId, postalAddress, html, text }: MessageContent) {
  if (campaignId === null || postalAddress === "") return { html: true, text: true };
  const plain = (words: string) => words.replace(/[\s,]+/g, " ").toLowerCase();
  const shows = (words: string) =>
    /\{\{-?\s*postalAddress\b/.test(words) || plain(words).includes(plain(postalAddress));
  const htmlInWords = html === null ? "" : textFromHtml(html);
  return { html: shows(htmlInWords), text: shows(text ?? htmlInWords) };
}

function compile(message: MessageContent): CompiledMessage {
  const kept = compiledMessages.get(message);
  if (kept) return kept;
  const compiled: CompiledMessage = {
    subject: compileTemplate(message.subject, "subject", "subject"),
    html: message.html === null ? null : compileTemplate(message.html, "html", "body"),
    text:
      message.text !== null
        ? compileTemplate(message.text, "text", "text")
        : message.html !== null
          ? textTemplateFromHtml(message.html)
          : null,
    preview:
      message.previewText === ""
        ? null
        : compileTemplate(message.previewText, "subject", "previewText"),
    showsAddress: addressIn(message),
  };
  compiledMessages.set(message, compiled);
  return compiled;
}

function scanOf(message: MessageContent, html: string): ScannedHtml {
  const { campaignId, trackOpens, trackClicks, utm } = message;
  // Nothing will be inserted.
  if (campaignId === null && !trackOpens && !trackClicks && !utm) {
    return { links: [], bodyStart: 0, bodyEnd: html.length };
  }
  const last = lastScans.get(message);
  if (last?.html === html) return last.scanned;
  const scanned = scanHtml(html);
  lastScans.set(message, { html, scanned });
  return scanned;
}

/**
 * In campaign mail, data cannot overwrite our addresses; in other mail, the request's data can. A list's
 * own fields go by their tags.
 */
function variablesFor(
  message: MessageContent,
  email: AddressedEmail,
  urls: RecipientUrls,
): Record<string, unknown> {
  const { contact, listFields } = email;
  const own = contactVariables(contact, message.data);
  if (message.campaignId === null) return { ...own, ...urls, ...message.data };
  return {
    ...own,
    ...(contact
      ? { EMAIL: contact.email, FIRST_NAME: contact.firstName, LAST_NAME: contact.lastName }
      : {}),
    ...listFields,
    ...urls,
    postalAddress: message.postalAddress,
  };
}

/** Renders for one recipient. Throws VALIDATION_ERROR when the template is wrong or exceeds a bound. */
export function draftContent(message: MessageContent, email: AddressedEmail): Draft {
  if (!message.liquid) {
    const { subject, html, text } = message;
    return {
      subject,
      html: html === null ? null : draftHtml(message, html),
      text: text ?? (html === null ? null : textFromHtml(html)),
    };
  }
  const templates = compile(message);
  const urls = recipientUrls(email.id);
  const variables = variablesFor(message, email, urls);
  // "now" in a template is the email's own time, so that a re-send says the same.
  const render = (template: CompiledTemplate) =>
    renderTemplate(template, variables, email.createdAt);
  const html = templates.html ? render(templates.html) : null;
  const draft: Draft = {
    subject: render(templates.subject),
    html: html === null ? null : draftHtml(message, html),
    text: templates.text ? render(templates.text) : html === null ? null : textFromHtml(html),
  };
  if (message.campaignId !== null) {
    const preview = templates.preview ? render(templates.preview) : "";
    const { html: inHtml, text: inText } = templates.showsAddress;
    addCampaignParts(draft, urls, preview, {
      html: inHtml ? "" : message.postalAddress,
      text: inText ? "" : message.postalAddress,
    });
  }
  return draft;
}

function draftHtml(message: MessageContent, source: string): DraftHtml {
  return { source, scanned: scanOf(message, source), first: "", last: "" };
}

/** Adds the unsubscribe links and the sender's address where the author left them out. */
function addCampaignParts(
  draft: Draft,
  urls: RecipientUrls,
  preview: string,
  address: { html: string; text: string },
): void {
  const waysOut: string[] = [urls.unsubscribeUrl, urls.preferencesUrl];
  const text = draft.text ?? "";
  draft.text = text + textFooter(urls, address.text, !waysOut.some((url) => text.includes(url)));
  if (draft.html) {
    const hasWayOut = draft.html.scanned.links.some(({ url }) => waysOut.includes(url));
    draft.html.first = previewBlock(preview);
    draft.html.last = htmlFooter(urls, address.html, !hasWayOut);
  }
}
