import { isLightTemplate, longestLightSource } from "./light-templates";
import {
  compileTemplate,
  fullLimits,
  renderTemplate,
  type CompiledTemplate,
  type RenderLimits,
} from "./liquid";
import { scanHtml, type ScannedHtml } from "./rewrite-html";
import {
  htmlFooter,
  previewBlock,
  textFooter,
  type FooterWords,
  type RecipientUrls,
} from "./campaign-footer";
import { textFromHtml, textTemplateFromHtml } from "./plain-text";
import { withRequestData } from "./variables";

/*
 * Rendering needs nothing but its arguments: no settings, no secrets, no database. It runs on the loop for
 * light messages, otherwise in a process of its own; rendering.ts decides.
 */

/** What a message is rendered from: the same object for all its recipients. */
export interface DraftSource {
  subject: string;
  html: string | null;
  text: string | null;
  previewText: string;
  /** Subject, html, text and previewText are Liquid. */
  liquid: boolean;
  /** A campaign's mail gets a footer. */
  campaign: boolean;
  postalAddress: string;
  /** The project's own sentence; empty: each recipient's. */
  mailReason: string;
  /** Something will be inserted into the HTML. */
  scan: boolean;
  /** What the request gave its template: it overrides the recipient's variables. A campaign has none. */
  data: Record<string, unknown> | null;
}

/** What differs for each recipient. */
export interface DraftRecipient {
  variables: Record<string, unknown>;
  urls: RecipientUrls;
  footer: FooterWords;
  /** What "now" means to the template: the email's own time, so that a re-send says the same. */
  now: Date;
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

/** Asks for as many milliseconds as the size of the rendered text warrants. */
export type NeedTime = (milliseconds: number) => void;

/** Milliseconds allowed for scanning and converting this much HTML: three times what it takes. */
export function htmlMilliseconds(characters: number): number {
  return characters / 1_000;
}

/** Whether rendering is cheap for every recipient, whatever their data. */
export function isLight(source: DraftSource): boolean {
  const { subject, html, text, previewText, liquid } = source;
  const parts = [subject, html ?? "", text ?? "", previewText];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > longestLightSource) return false;
  if (!liquid) return true;
  if (!parts.every(isLightTemplate)) return false;
  try {
    // Otherwise each recipient's HTML would be converted to text.
    return html === null || compile(source).text !== null;
  } catch {
    return false;
  }
}

interface CompiledMessage {
  subject: CompiledTemplate;
  html: CompiledTemplate | null;
  /** null: made from the rendered HTML. */
  text: CompiledTemplate | null;
  preview: CompiledTemplate | null;
  /** What the author put in, by hand or as `{{ postalAddress }}` and `{{ mailReason }}`. */
  shows: Record<"html" | "text", { address: boolean; reason: boolean }>;
}

const compiledMessages = new WeakMap<DraftSource, CompiledMessage>();
/** The last HTML of a message, as it was read: most transactional mail is the same for everyone. */
const lastReadings = new WeakMap<DraftSource, { html: string; scanned: ScannedHtml }>();
const lastTexts = new WeakMap<DraftSource, { html: string; text: string }>();

/** Only campaigns have a footer; other mail, mostly sent once, is not worth converting to text. */
function shownParts({ campaign, postalAddress, mailReason, html, text }: DraftSource) {
  const everything = { address: true, reason: true };
  if (!campaign) return { html: everything, text: everything };
  const plain = (words: string) => words.replace(/[\s,]+/g, " ").toLowerCase();
  const shows = (words: string) => {
    const holds = (wanted: string) => plain(words).includes(plain(wanted));
    return {
      address:
        postalAddress === "" || /\{\{-?\s*postalAddress\b/.test(words) || holds(postalAddress),
      reason: /\{\{-?\s*mailReason\b/.test(words) || (mailReason !== "" && holds(mailReason)),
    };
  };
  const htmlInWords = html === null ? "" : textFromHtml(html);
  return { html: shows(htmlInWords), text: shows(text ?? htmlInWords) };
}

function compile(source: DraftSource): CompiledMessage {
  const kept = compiledMessages.get(source);
  if (kept) return kept;
  const { subject, html, text, previewText } = source;
  const compiled: CompiledMessage = {
    subject: compileTemplate(subject, "subject", "subject"),
    html: html === null ? null : compileTemplate(html, "html", "body"),
    text:
      text !== null
        ? compileTemplate(text, "text", "text")
        : html !== null
          ? textTemplateFromHtml(html)
          : null,
    preview: previewText === "" ? null : compileTemplate(previewText, "subject", "previewText"),
    shows: shownParts(source),
  };
  compiledMessages.set(source, compiled);
  return compiled;
}

function scanOf(source: DraftSource, html: string): ScannedHtml {
  if (!source.scan) return { links: [], bodyStart: 0, bodyEnd: html.length };
  const last = lastReadings.get(source);
  if (last?.html === html) return last.scanned;
  const scanned = scanHtml(html);
  lastReadings.set(source, { html, scanned });
  return scanned;
}

function textOf(source: DraftSource, html: string): string {
  const last = lastTexts.get(source);
  if (last?.html === html) return last.text;
  const text = textFromHtml(html);
  lastTexts.set(source, { html, text });
  return text;
}

/** Renders for one recipient. Throws VALIDATION_ERROR when the template is wrong or exceeds a limit. */
export function draftContent(
  source: DraftSource,
  recipient: DraftRecipient,
  { limits = fullLimits, needTime }: { limits?: RenderLimits; needTime?: NeedTime } = {},
): Draft {
  if (!source.liquid) {
    const { subject, html, text } = source;
    return {
      subject,
      html: html === null ? null : draftHtml(source, html),
      text: text ?? (html === null ? null : textOf(source, html)),
    };
  }
  const templates = compile(source);
  const variables = withRequestData(recipient.variables, source.data);
  const { now } = recipient;
  const render = (template: CompiledTemplate) => renderTemplate(template, variables, now, limits);
  const html = templates.html ? render(templates.html) : null;
  const subject = render(templates.subject);
  needTime?.(htmlMilliseconds(html?.length ?? 0));
  const draft: Draft = {
    subject,
    html: html === null ? null : draftHtml(source, html),
    text: templates.text ? render(templates.text) : html === null ? null : textOf(source, html),
  };
  if (source.campaign) {
    const preview = templates.preview ? render(templates.preview) : "";
    const left = ({ address, reason }: { address: boolean; reason: boolean }) => ({
      address: address ? "" : source.postalAddress,
      reason: reason ? "" : recipient.footer.reason,
    });
    const { html: inHtml, text: inText } = templates.shows;
    addCampaignParts(draft, recipient, preview, { html: left(inHtml), text: left(inText) });
  }
  return draft;
}

function draftHtml(source: DraftSource, html: string): DraftHtml {
  return { source: html, scanned: scanOf(source, html), first: "", last: "" };
}

/** What the footer has to say besides the ways to unsubscribe. */
interface FooterTexts {
  address: string;
  reason: string;
}

/** Adds why the reader gets it, the unsubscribe links and the sender's address where the author left them out. */
function addCampaignParts(
  draft: Draft,
  { urls, footer: words }: DraftRecipient,
  preview: string,
  left: { html: FooterTexts; text: FooterTexts },
): void {
  const waysOut: string[] = [urls.unsubscribeUrl, urls.preferencesUrl];
  const text = draft.text ?? "";
  const textWayOut = !waysOut.some((url) => text.includes(url));
  draft.text = text + textFooter({ urls, words, ...left.text, wayOut: textWayOut });
  if (draft.html) {
    const hasWayOut = draft.html.scanned.links.some(({ url }) => waysOut.includes(url));
    draft.html.first = previewBlock(preview);
    draft.html.last = htmlFooter({ urls, words, ...left.html, wayOut: !hasWayOut });
  }
}
