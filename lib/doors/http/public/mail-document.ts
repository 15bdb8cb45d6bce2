import type { ViewedMail } from "@/lib/domain/opt-outs/view-in-browser";

/**
 * The policy of a page made of a stranger's HTML: it loads pictures and styles as mail programs do, runs and
 * posts nothing, and has an opaque origin, so it reaches no session.
 */
export const mailPolicy = [
  "default-src 'none'",
  "img-src * data:",
  "media-src *",
  "style-src * 'unsafe-inline'",
  "font-src * data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox",
].join("; ");

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

function page(title: string, body: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>
main { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body><main>
${body}
</main></body>
</html>`;
}

/** A mail as a page: its HTML unchanged, or its text. */
export function mailDocument({ subject, html, text }: ViewedMail): string {
  return html || page(subject, `<pre dir="auto">${escape(text ?? "")}</pre>`);
}
