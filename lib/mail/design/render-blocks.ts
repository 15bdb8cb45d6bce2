import { contrast, mixed } from "./colours";
import { inAttribute, inText } from "./liquid-parts";
import { faceStyle, isBlank, renderInline, type Face, type Place } from "./render-text";
import type { SimpleBlock } from "./schema";

export const tableStart = (attributes = "") =>
  `<table role="presentation" border="0" cellpadding="0" cellspacing="0"${attributes}>`;

/** The wanted colour if it is readable on its background, otherwise one that is. */
export function readable(wanted: string, ground: string, least = 4.5): string {
  if (contrast(wanted, ground) >= least) return wanted;
  return contrast("#ffffff", ground) >= contrast("#1a1a1a", ground) ? "#ffffff" : "#1a1a1a";
}

const bodyFace = ({ theme, color }: Place): Face => ({
  font: theme.font,
  size: 16,
  line: 26,
  color,
});
/** Quieter but still readable: mixed with the background where that leaves a contrast of 4.5. */
const quiet = ({ color, ground }: Place) => readable(mixed(color, ground, 0.35), ground);
const linkColor = ({ theme, color, ground }: Place) =>
  contrast(theme.accent, ground) >= 4.5 ? theme.accent : color;

const headings = {
  1: { size: 32, line: 38 },
  2: { size: 24, line: 30 },
  3: { size: 18, line: 26 },
} as const;

interface Row {
  html: string;
  align?: "left" | "center" | "right";
  /** Pixels to the block below. */
  below?: number;
  above?: number;
  style?: string;
}

function buttonHtml(
  href: string,
  label: string,
  { background, color, align = "left" }: { background: string; color: string; align?: string },
  { theme }: Place,
): string {
  const text = faceStyle({ font: theme.font, size: 16, line: 20, color, bold: true });
  // Outlook ignores padding on links: mso-padding-alt gives it to the cell there, and nowhere else.
  return (
    `${tableStart(` align="${align}"`)}<tr><td align="center" bgcolor="${background}" style="background-color:${background};border-radius:${theme.radius}px;mso-padding-alt:14px 26px">` +
    `<a href="${inAttribute(href)}" style="display:inline-block;padding:14px 26px;${text};text-decoration:none;border-radius:${theme.radius}px">${label}</a></td></tr></table>`
  );
}

function pictureHtml(
  { src, alt, href }: { src: string; alt: string; href: string },
  width: number,
  { theme, color }: Place,
): string {
  const image =
    `<img src="${inAttribute(src)}" alt="${inAttribute(alt)}" width="${width}" border="0" ` +
    `style="display:block;width:100%;max-width:${width}px;height:auto;border:0;${faceStyle({ font: theme.font, size: 14, line: 20, color })}">`;
  return href === "" ? image : `<a href="${inAttribute(href)}">${image}</a>`;
}

function productHtml(
  attrs: Extract<SimpleBlock, { type: "product" }>["attrs"],
  place: Place,
): string {
  const { theme, room } = place;
  const { src, title, text, price, href, action } = attrs;
  const beside = Math.min(160, Math.floor(room * 0.36));
  const face = bodyFace(place);
  // Each line a row: Word, which Outlook shows mail with, knows no padding of a div.
  const row = (style: string, content: string) =>
    `<tr><td align="left" style="${style}">${content}</td></tr>`;
  const lines = [
    title &&
      row(
        faceStyle({ ...face, font: theme.headingFont, size: 18, line: 24, bold: true }),
        inText(title),
      ),
    text && row(`${faceStyle({ ...face, size: 14, line: 22 })};padding-top:4px`, inText(text)),
    price && row(`${faceStyle({ ...face, line: 24, bold: true })};padding-top:6px`, inText(price)),
    action &&
      href &&
      row(
        `${faceStyle({ ...face, size: 14, line: 22, bold: true })};padding-top:6px`,
        `<a href="${inAttribute(href)}" style="${faceStyle({ ...face, size: 14, line: 22, bold: true, color: linkColor(place) })};text-decoration:underline">${inText(action)}</a>`,
      ),
  ].filter(Boolean);
  const picture = src
    ? `<td width="${beside + 20}" valign="top" style="width:${beside + 20}px;padding-right:20px">${pictureHtml(attrs, beside, place)}</td>`
    : "";
  return `${tableStart(' width="100%"')}<tr>${picture}<td align="left" valign="top">${tableStart(' width="100%"')}${lines.join("")}</table></td></tr></table>`;
}

function listHtml(block: Extract<SimpleBlock, { type: "bullets" | "numbers" }>, place: Place) {
  const face = faceStyle(bodyFace(place));
  const items = block.content.map((item, index) => {
    const sign = block.type === "bullets" ? "&bull;" : `${index + 1}.`;
    const text = item.content
      .map(({ content }) => renderInline(content, linkColor(place)))
      .join("<br>");
    return `<tr><td width="28" valign="top" style="width:28px;${face}">${sign}</td><td align="left" valign="top" style="padding-bottom:6px;${face}">${text}</td></tr>`;
  });
  return `${tableStart(' width="100%"')}${items.join("")}</table>`;
}

/** The content of a block's row; null: there is nothing to show yet. */
function rowOf(block: SimpleBlock, place: Place): Row | null {
  const { theme, room, ground } = place;
  switch (block.type) {
    case "paragraph": {
      const html = isBlank(block.content)
        ? "&nbsp;"
        : renderInline(block.content, linkColor(place));
      return { html, align: block.attrs.align, style: faceStyle(bodyFace(place)) };
    }
    case "heading": {
      if (isBlank(block.content)) return null;
      const level = block.attrs.level as 1 | 2 | 3;
      const face = { ...bodyFace(place), ...headings[level], font: theme.headingFont, bold: true };
      return {
        html: `<h${level} style="margin:0;${faceStyle(face)}">${renderInline(block.content, linkColor(place))}</h${level}>`,
        align: block.attrs.align,
        below: 12,
      };
    }
    case "bullets":
    case "numbers":
      return { html: listHtml(block, place), below: 10 };
    case "button": {
      const { href, align, background: own } = block.attrs;
      if (isBlank(block.content)) return null;
      const background = own ?? theme.accent;
      const color = readable(block.attrs.color ?? theme.onAccent, background, 3);
      const label = renderInline(block.content, color);
      return {
        html: buttonHtml(href, label, { background, color, align }, place),
        align,
        below: 20,
      };
    }
    case "image": {
      const { src, align } = block.attrs;
      if (src === "") return null;
      const width = Math.min(block.attrs.width ?? room, room);
      return { html: aligned(pictureHtml(block.attrs, width, place), align, width), align };
    }
    case "divider":
      return {
        html: `${tableStart(' width="100%"')}<tr><td style="border-top:1px solid ${mixed(place.color, ground, 0.8)};font-size:0;line-height:0" height="1">&nbsp;</td></tr></table>`,
        above: 8,
        below: 24,
      };
    case "spacer":
      return {
        html: "&nbsp;",
        below: 0,
        style: `height:${block.attrs.height}px;font-size:0;line-height:${block.attrs.height}px`,
      };
    case "social": {
      const links = block.attrs.links.filter(({ url }) => url !== "");
      if (links.length === 0) return null;
      const face = faceStyle({
        ...bodyFace(place),
        size: 14,
        line: 22,
        bold: true,
        color: linkColor(place),
      });
      return {
        html: links
          .map(({ network, url }) => `<a href="${inAttribute(url)}" style="${face}">${network}</a>`)
          .join(" &nbsp;&nbsp; "),
        align: block.attrs.align,
        style: faceStyle({ ...bodyFace(place), size: 14, line: 22 }),
      };
    }
    case "footer": {
      if (isBlank(block.content)) return null;
      const color = quiet(place);
      return {
        html: renderInline(block.content, color),
        align: block.attrs.align,
        below: 8,
        style: faceStyle({ ...bodyFace(place), size: 13, line: 20, color }),
      };
    }
    case "product":
      return { html: productHtml(block.attrs, place), below: 24 };
    case "html":
      return { html: block.attrs.html, style: faceStyle(bodyFace(place)) };
  }
}

/** A picture's box gets the picture's width, or a narrow picture would fill the row on phones. */
function aligned(html: string, align: string, width: number): string {
  return `${tableStart(` width="${width}" align="${align}" style="width:100%;max-width:${width}px"`)}<tr><td>${html}</td></tr></table>`;
}

/** One block as a table row, `inset` pixels in from the sides. */
export function renderSimple(block: SimpleBlock, place: Place, inset: number): string {
  const row = rowOf(block, place);
  if (!row) return "";
  const { html, align = "left", above = 0, below = 16, style } = row;
  const padding =
    block.type === "spacer" ? [] : [`padding:${pixels(above)} ${pixels(inset)} ${pixels(below)}`];
  const styles = [...padding, ...(style ? [style] : [])].join(";");
  return `<tr><td align="${align}" class="b-${block.type}" style="${styles}">${html}</td></tr>\n`;
}

const pixels = (value: number) => (value === 0 ? "0" : `${value}px`);
