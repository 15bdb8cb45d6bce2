import { withScheme } from "./color-scheme";
import { colorAttributes, invertedAttribute, invertedCss } from "./inverted-colors";

/**
 * What a mail program in dark mode does with a mail: `own` leaves the colours to the mail's own styles for it;
 * `inverted` inverts them.
 */
export type DarkWay = "own" | "inverted";

/** Mail that names no colours is dark text on light, with blue links. */
const invertedDefaults =
  ":where(html){background:#121212}:where(body){color:#ededed}:where(a){color:#8ab4f8}";

/** Programs that invert do not ask the mail's own styles, and show it as on light before. */
function answerScheme(mail: Document, scheme: "dark" | "light"): void {
  for (const sheet of mail.querySelectorAll("style")) {
    sheet.textContent = withScheme(sheet.textContent, scheme);
  }
  for (const element of mail.querySelectorAll("[media]")) {
    element.setAttribute("media", withScheme(element.getAttribute("media") ?? "", scheme));
  }
}

function invertColors(mail: Document): void {
  for (const sheet of mail.querySelectorAll("style")) {
    sheet.textContent = invertedCss(sheet.textContent);
  }
  for (const element of mail.querySelectorAll("[style]")) {
    element.setAttribute("style", invertedCss(element.getAttribute("style") ?? ""));
  }
  for (const name of colorAttributes) {
    for (const element of mail.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, invertedAttribute(name, element.getAttribute(name) ?? ""));
    }
  }
}

/** Only what a mail may show: its scripts would not run, and its links lead nowhere from here. */
const dropped = "script, base, meta[http-equiv], link, object, embed, iframe, frame";

/**
 * A mail's HTML as a document for a sandboxed frame (`srcdoc`), with which it shares the page's policy:
 * `nonce` lets its style elements count. Browser only. `remotePictures`: some were left out by the policy.
 */
export function frameDocument(
  html: string,
  nonce: string,
  dark: DarkWay | null = null,
): { srcDoc: string; remotePictures: boolean } {
  // Before parsing: the parser's document has the page's policy too. Of two attributes the first counts.
  const trusted = html.replace(/<style(?=[\s/>])/gi, `<style nonce="${nonce}"`);
  const mail = new DOMParser().parseFromString(trusted, "text/html");
  for (const element of mail.querySelectorAll(dropped)) element.remove();
  let remotePictures = false;
  for (const picture of mail.querySelectorAll("img")) {
    const source = picture.getAttribute("src")?.trim() ?? "";
    if (source === "" || source.startsWith("data:")) continue;
    const url = URL.canParse(source, location.href) ? new URL(source, location.href) : null;
    if (url?.origin !== location.origin) remotePictures = true;
    // Looking at a mail or a form here does not count as opening or seeing it.
    else if (/^\/[tf]\//.test(url.pathname)) picture.remove();
  }
  answerScheme(mail, dark === "own" ? "dark" : "light");
  if (dark === "inverted") invertColors(mail);
  // Webmail uses its own font, not the browser's, for mail that sets none.
  const fallback = mail.createElement("style");
  fallback.setAttribute("nonce", nonce);
  fallback.textContent =
    ":where(body){font-family:Arial,Helvetica,sans-serif}" +
    (dark === "inverted" ? invertedDefaults : "");
  mail.head.prepend(fallback);
  // What a client in dark mode does: mail that brings no colours of its own turns light on dark.
  if (dark === "own") mail.documentElement.style.colorScheme = "dark";
  // The sandbox refuses new windows, so a click cannot take the frame elsewhere or count as one.
  for (const link of mail.querySelectorAll("a, area, form")) link.setAttribute("target", "_blank");
  return {
    srcDoc: `<!doctype html>${mail.documentElement.outerHTML}`,
    remotePictures,
  };
}

/** The nonce of the page's policy; empty where there is none. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
