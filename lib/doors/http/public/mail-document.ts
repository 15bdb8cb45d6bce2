import type { ViewedMail } from "@/lib/domain/opt-outs/view-in-browser";
import { escapeHtml } from "@/lib/ground/escape-html";

/**
 * The policy of a page made of a stranger's HTML: it loads pictures and styles as mail programs do, runs and
 * posts nothing, and has an opaque origin, so it reaches no session.
 */
const policyWithin = (ancestors: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    "img-src * data:",
    "media-src *",
    "style-src * 'unsafe-inline'",
    "font-src * data:",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
    "sandbox allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
export const mailPolicy = policyWithin("'none'");
/** The same for a frame of one of our pages. */
export const framedMailPolicy = policyWithin("'self'");

function page(language: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
main { font: 1rem/1.5 system-ui, sans-serif; max-inline-size: 40rem; margin: 2rem auto; padding: 0 1rem }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body><main>
${body}
</main></body>
</html>`;
}

/**
 * A phone shows a page that does not state its width as if on a wide screen, in letters too small to read;
 * mail programs do not.
 */
function withViewport(html: string): string {
  const beginning = html.slice(0, 10_000);
  if (/<meta\s[^<>]*name\s?=\s?["']?viewport/i.test(beginning)) return html;
  return withHead(html, '<meta name="viewport" content="width=device-width, initial-scale=1">');
}

/** Puts it where the mail's own head begins, so that nothing before it is moved. */
function withHead(html: string, element: string): string {
  const beginning = html.slice(0, 10_000);
  const start = /<(?:head|html|!doctype)(?:\s[^<>]*)?>/gi;
  const last = [...beginning.matchAll(start)].at(-1);
  const at = last ? last.index + last[0].length : 0;
  return `${html.slice(0, at)}${element}${html.slice(at)}`;
}

/** A mail as a page: its HTML with a width added, or its text. */
export function mailDocument({ subject, html, text, language }: ViewedMail): string {
  if (html) return withViewport(html);
  return page(language, subject, `<pre dir="auto">${escapeHtml(text ?? "")}</pre>`);
}

/** The same for a frame, which its links leave for a page of their own. */
export const framedMail = (mail: ViewedMail): string =>
  withHead(mailDocument(mail), '<base target="_blank">');
