import type { UtmParameters } from "@/db/schema/campaigns";

const names = ["source", "medium", "campaign", "term", "content"] as const;

/** The address with the UTM parameters it lacks. Everything else in it stays as it was written. */
export function withUtm(url: string, utm: UtmParameters): string {
  const hash = url.indexOf("#");
  const address = hash === -1 ? url : url.slice(0, hash);
  const query = address.indexOf("?");
  const present = new Set(
    query === -1
      ? []
      : [...new URLSearchParams(address.slice(query + 1)).keys()].map((key) => key.toLowerCase()),
  );
  const added = names
    .filter((name) => utm[name] && !present.has(`utm_${name}`))
    .map((name) => `utm_${name}=${encodeURIComponent(utm[name] ?? "")}`)
    .join("&");
  if (added === "") return url;
  const joint = query === -1 ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${joint}${added}${hash === -1 ? "" : url.slice(hash)}`;
}
