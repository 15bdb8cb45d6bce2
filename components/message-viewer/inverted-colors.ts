/*
 * What mail programs that invert make of a mail's colours: light backgrounds and dark text swap their lightness,
 * hue and saturation stay, and so do images, gradients, dark backgrounds and light text. Each program has rules of its
 * own; this is what they have in common.
 */

/** Red, green and blue from 0 to 255, and the opacity from 0 to 1. */
type Color = readonly [red: number, green: number, blue: number, alpha: number];

const names: Readonly<Partial<Record<string, string>>> = {
  ...{ white: "#fff", black: "#000", silver: "#c0c0c0", gray: "#808080", grey: "#808080" },
  ...{ red: "#f00", maroon: "#800000", purple: "#800080", fuchsia: "#f0f", green: "#008000" },
  ...{ lime: "#0f0", olive: "#808000", yellow: "#ff0", navy: "#000080", blue: "#00f" },
  ...{ teal: "#008080", aqua: "#0ff", orange: "#ffa500", snow: "#fffafa", ivory: "#fffff0" },
  ...{ whitesmoke: "#f5f5f5", gainsboro: "#dcdcdc", ghostwhite: "#f8f8ff", beige: "#f5f5dc" },
  ...{ lightgray: "#d3d3d3", lightgrey: "#d3d3d3", darkgray: "#a9a9a9", darkgrey: "#a9a9a9" },
  ...{ dimgray: "#696969", dimgrey: "#696969", linen: "#faf0e6", darkblue: "#00008b" },
};

function hexColor(digits: string): Color | null {
  const wide = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  if (wide.length !== 6 && wide.length !== 8) return null;
  const byte = (at: number) => parseInt(wide.slice(at, at + 2), 16);
  return [byte(0), byte(2), byte(4), wide.length === 8 ? byte(6) / 255 : 1];
}

function functionColor(text: string): Color | null {
  const [first = NaN, second = NaN, third = NaN, alpha = 1] = (text.match(/[\d.]+%?/g) ?? []).map(
    (part) => (part.endsWith("%") ? Number(part.slice(0, -1)) / 100 : Number(part)),
  );
  if (text.startsWith("hsl")) return fromHsl(first, second, third, alpha);
  return text.includes("%") ? null : [first, second, third, alpha];
}

function colorOf(text: string): Color | null {
  const word = text.toLowerCase();
  const color = word.includes("(") ? functionColor(word) : hexColor((names[word] ?? word).slice(1));
  return color && color.every(Number.isFinite) ? color : null;
}

function toHsl([red, green, blue]: Color): [hue: number, saturation: number, lightness: number] {
  const parts = [red / 255, green / 255, blue / 255] as const;
  const [most, least] = [Math.max(...parts), Math.min(...parts)];
  const [lightness, range] = [(most + least) / 2, most - least];
  if (range === 0) return [0, 0, lightness];
  const [r, g, b] = parts;
  const sixth =
    most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return [sixth * 60, range / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function fromHsl(hue: number, saturation: number, lightness: number, alpha: number): Color {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const part = (n: number) => {
    const at = (n + hue / 30) % 12;
    return 255 * (lightness - strength * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return [part(0), part(8), part(4), alpha];
}

function toText([red, green, blue, alpha]: Color): string {
  const bytes = [red, green, blue].map(Math.round);
  return alpha < 1
    ? `rgba(${bytes.join(", ")}, ${alpha})`
    : `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** `surface`: a background or border; otherwise it is text. */
type Use = "surface" | "text";

/** White becomes nearly black and black nearly white, as pure ones would glare. */
const [darkest, lightest] = [0.07, 0.93];

function inverted(text: string, use: Use): string {
  const color = colorOf(text);
  if (!color) return text;
  const [hue, saturation, lightness] = toHsl(color);
  if (use === "surface" ? lightness <= 0.5 : lightness >= 0.5) return text;
  const swapped = darkest + (1 - lightness) * (lightest - darkest);
  return toText(fromHsl(hue, saturation, swapped, color[3]));
}

/** The colours of a CSS value, inverted. What is in `url()` and what holds a gradient stays as it is. */
function invertedValue(value: string, use: Use): string {
  if (/gradient\(/i.test(value)) return value;
  return value
    .split(/(url\([^()]*\))/i)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/#[\da-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|\b[a-z]+\b/gi, (word) =>
            /^[#rh]/i.test(word) || names[word.toLowerCase()] ? inverted(word, use) : word,
          ),
    )
    .join("");
}

function useOf(property: string): Use | null {
  if (property === "color" || property === "-webkit-text-fill-color") return "text";
  return /^(?:background|background-color|border|border-(?:top|right|bottom|left|color)|border-(?:top|right|bottom|left)-color)$/.test(
    property,
  )
    ? "surface"
    : null;
}

/** A style attribute's declarations, or a style sheet, with the colours inverted. */
export function invertedCss(css: string): string {
  return css.replace(/[^;{}]+/g, (piece) => {
    const colon = piece.indexOf(":");
    if (colon < 0) return piece;
    const before = piece.slice(0, colon);
    const property = before.split("*/").at(-1) ?? "";
    const use = useOf(property.trim().toLowerCase());
    return use ? `${before}:${invertedValue(piece.slice(colon + 1), use)}` : piece;
  });
}

const attributes: Readonly<Partial<Record<string, Use>>> = {
  bgcolor: "surface",
  bordercolor: "surface",
  text: "text",
  color: "text",
  link: "text",
  vlink: "text",
  alink: "text",
};
/** Attributes that hold one colour. */
export const colorAttributes = Object.keys(attributes);

/** Such an attribute's value, inverted; old mails write hexadecimal ones without the `#`. */
export function invertedAttribute(name: string, value: string): string {
  const use = attributes[name.toLowerCase()];
  const color = value.trim();
  return use ? inverted(/^[\da-f]{6}$/i.test(color) ? `#${color}` : color, use) : value;
}
