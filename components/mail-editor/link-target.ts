import { linkTarget } from "@/lib/mail/design/schema";

/** Turns what people type into a link, even `example.com` or `ada@example.com`; null: no link. */
export function toLink(typed: string): string | null {
  const text = typed.trim();
  const full = /^[^\s@/:]{1,64}@[^\s@/:.]{1,63}\.[^\s@/:]{1,190}$/.test(text)
    ? `mailto:${text}`
    : /^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(text)
      ? `https://${text}`
      : text;
  return linkTarget.safeParse(full).success ? full : null;
}
