import type { CampaignStats } from "@/lib/domain/campaigns/stats-schema";
import { count, percent } from "@/components/ui/numbers";

/** An address as people think of it: without the parameters campaigns add, and without a final slash. */
export function plainAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  for (const name of [...parsed.searchParams.keys()]) {
    if (name.startsWith("utm_")) parsed.searchParams.delete(name);
  }
  const text = parsed.href;
  return text.endsWith("/") ? text.slice(0, -1) : text;
}

/** How many people clicked each link, by its plain address. */
export function clicksByAddress(links: CampaignStats["links"]): Map<string, number> {
  const clicks = new Map<string, number>();
  for (const { url, uniqueClicks } of links) {
    const address = plainAddress(url);
    clicks.set(address, (clicks.get(address) ?? 0) + uniqueClicks);
  }
  return clicks;
}

/** The badge's words: `1,204 people, 12%`. */
export const badgeWords = (clicks: number, clicked: number) =>
  `${count(clicks)} · ${percent(clicked === 0 ? 0 : Math.min(1, clicks / clicked))}`;

/**
 * A mail's HTML with a badge on each link that says how many clicked it: drawn into the document, so that
 * it moves with the mail in a frame that runs nothing. Browser only.
 */
export function withClickMap(html: string, { links, clicked }: CampaignStats): string {
  const clicks = clicksByAddress(links);
  const most = Math.max(1, ...clicks.values());
  const mail = new DOMParser().parseFromString(html, "text/html");
  for (const link of mail.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const people = clicks.get(plainAddress(link.getAttribute("href") ?? ""));
    if (people === undefined) continue;
    const heat = 0.25 + 0.75 * (people / most);
    link.style.outline = `2px solid rgba(200, 50, 20, ${heat.toFixed(2)})`;
    link.style.outlineOffset = "2px";
    const badge = mail.createElement("span");
    badge.textContent = badgeWords(people, clicked);
    badge.setAttribute(
      "style",
      "display:inline-block;margin-left:6px;padding:1px 6px;border-radius:9px;background:#a8290f;color:#fff;font:600 11px/16px sans-serif;text-decoration:none;white-space:nowrap;vertical-align:middle",
    );
    link.append(badge);
  }
  return mail.documentElement.outerHTML;
}
