import { brand } from "./brand-schema";
import { mixed } from "./colours";
import { readable } from "./render-blocks";
import { fontStack } from "./render-text";

/** How mails that the product writes in a project's name look. Colours are `#rrggbb`, fonts are stacks. */
export interface LetterLook {
  background: string;
  sheet: string;
  edge: string;
  text: string;
  /** Of what matters less. */
  quiet: string;
  link: string;
  /** Of the sender's name, where there is no logo. */
  name: string;
  button: { background: string; color: string; radius: number };
  font: string;
  headingFont: string;
  logo: { src: string; alt: string; width: number } | null;
}

const widestLogo = 416;

/** That of a project's brand, every text readable on its ground; undefined: it has none. */
export function letterLook(stored: object | null): LetterLook | undefined {
  if (!stored) return undefined;
  const { theme, logo } = brand.parse(stored);
  const { background, sheet, accent } = theme;
  const text = readable(theme.text, sheet);
  return {
    background,
    sheet,
    edge: mixed(background, sheet, 0.5),
    text,
    quiet: readable(mixed(text, sheet, 0.35), sheet),
    link: readable(accent, sheet),
    name: readable(accent, sheet),
    button: {
      background: accent,
      color: readable(theme.onAccent, accent, 3),
      radius: Math.min(theme.radius, 20),
    },
    font: fontStack(theme.font),
    headingFont: fontStack(theme.headingFont),
    logo: logo && {
      src: logo.src,
      alt: logo.alt,
      width: Math.min(logo.width ?? widestLogo, widestLogo),
    },
  };
}
