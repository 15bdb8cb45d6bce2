import { linkTarget } from "@/lib/mail/design/schema";

/** What people type as a link, as one: `example.com` and `ada@example.com` included; null: it leads nowhere. */
export function toLink(typed: string): string | null {
  const text = typed.trim();
  const full = /^[^\s@/:]{1,64}@[^\s@/:.]{1,63}\.[^\s@/:]{1,190}$/.test(text)
    ? `mailto:${text}`
    : /^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(text)
      ? `https://${text}`
      : text;
  return linkTarget.safeParse(full).success ? full : null;
}
