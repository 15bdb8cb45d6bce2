import { contrast, mixed } from "@/lib/mail/design/colours";
import type { Brand } from "@/lib/mail/design/brand-schema";
import { emailDesign, type EmailDesign, type Theme } from "@/lib/mail/design/schema";

interface AnyNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: AnyNode[];
}

const isDark = (colour: string) => contrast(colour, "#ffffff") >= 4.5;

/** Blocks with the theme's colours in place of their own, each readable on the one behind it. */
function recoloured(node: AnyNode, theme: Theme, ground: string): AnyNode {
  const attrs = node.attrs ?? {};
  if (node.type === "section") {
    const background = isDark(String(attrs["background"]))
      ? theme.accent
      : mixed(theme.accent, theme.sheet, 0.9);
    const color = background === theme.accent ? theme.onAccent : null;
    return { ...node, attrs: { background, color }, content: within(node, theme, background) };
  }
  if (node.type === "button") {
    const look =
      ground === theme.accent
        ? { background: theme.onAccent, color: theme.accent }
        : { background: null, color: null };
    return { ...node, attrs: { ...attrs, ...look } };
  }
  return node.content ? { ...node, content: within(node, theme, ground) } : node;
}

const within = (node: AnyNode, theme: Theme, ground: string) =>
  (node.content ?? []).map((child) => recoloured(child, theme, ground));

/** The brand's logo as an image. */
export const logoBlock = ({ src, alt, href, width }: NonNullable<Brand["logo"]>) => ({
  type: "image",
  attrs: { src, alt, href, align: "center", width },
});

/** A design to begin with in a brand's colours and fonts, its logo on top. */
export function branded(design: EmailDesign, { theme, logo }: Brand): EmailDesign {
  const content = within(design, theme, theme.sheet);
  return emailDesign.parse({
    type: "doc",
    attrs: { ...design.attrs, theme },
    content: logo ? [logoBlock(logo), ...content] : content,
  });
}
