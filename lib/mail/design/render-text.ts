import { inAttribute, inText, placeholderSource } from "./liquid-parts";
import type { Inline, Theme } from "./schema";

/** Fonts that are on readers' machines: mail programs load no others. */
const stacks: Record<Theme["font"], string> = {
  sans: "Arial,Helvetica,sans-serif",
  rounded: "'Trebuchet MS',Verdana,sans-serif",
  serif: "Georgia,'Times New Roman',serif",
  slab: "Rockwell,'Courier New',Georgia,serif",
  mono: "'Courier New',Courier,monospace",
};
export const fontStack = (font: Theme["font"]) => stacks[font];

/**
 * Where blocks are placed: each is told what it would inherit in a browser, since Outlook inherits nothing.
 */
export interface Place {
  theme: Theme;
  /** Pixels available from side to side. */
  room: number;
  color: string;
  /** The background behind it. */
  ground: string;
}

export interface Face {
  font: Theme["font"];
  size: number;
  line: number;
  color: string;
  bold?: boolean;
}

export const faceStyle = ({ font, size, line, color, bold = false }: Face) =>
  `font-family:${fontStack(font)};font-size:${size}px;line-height:${line}px;color:${color}${bold ? ";font-weight:bold" : ""}`;

const wrappers: Record<"bold" | "italic" | "underline" | "strike", string> = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
};

function inner(node: Inline): string {
  if (node.type === "break") return "<br>";
  if (node.type === "placeholder") {
    return placeholderSource(node.attrs.name, node.attrs.fallback);
  }
  // Spaces that the writer sees are shown: browsers collapse several into one.
  return inText(node.text).replace(/ {2}/g, "&nbsp; ").replaceAll("\n", "<br>");
}

/** Text with its marks; links have the colour `linkColor`. */
export function renderInline(content: readonly Inline[] | undefined, linkColor: string): string {
  return (content ?? [])
    .map((node) =>
      (node.marks ?? []).reduce((html, mark) => {
        if (mark.type === "link") {
          if (mark.attrs.href === "") return html;
          const style = `color:${linkColor};text-decoration:underline`;
          return `<a href="${inAttribute(mark.attrs.href)}" style="${style}">${html}</a>`;
        }
        if (mark.type === "color") {
          return `<span style="color:${mark.attrs.color}">${html}</span>`;
        }
        const name = wrappers[mark.type];
        return `<${name}>${html}</${name}>`;
      }, inner(node)),
    )
    .join("");
}

/** Whether there is anything to read in it. */
export const isBlank = (content: readonly Inline[] | undefined) =>
  (content ?? []).every((node) => node.type === "text" && node.text.trim() === "");
