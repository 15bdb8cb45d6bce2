import { t } from "@/lib/ground/texts/t";

const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\bWindows\b/, "Windows"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** What we know about a browser; null for any other program. */
function knownDevice(userAgent: string): string | null {
  const name = (among: typeof browsers) => among.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [name(browsers), name(systems)];
  if (browser && system) return t("{browser} on {system}", { browser, system });
  return browser ?? system ?? null;
}

/** A browser by its user agent, in words that its owner recognises: `Firefox on Linux`. */
export function deviceOf(userAgent: string): string {
  return knownDevice(userAgent) ?? t("An unknown browser");
}

/** The same for any program: `curl/8.5.0` by the name it gives itself. */
export function programOf(userAgent: string): string {
  return knownDevice(userAgent) ?? userAgent.split(" ", 1)[0] ?? "";
}
