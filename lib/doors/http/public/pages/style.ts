import { inkOn } from "@/lib/ground/ink";

/*
 * The look of the pages that recipients see: one sheet of paper, light or dark as their system is. Only
 * logical properties, so that it is mirrored for languages written from right to left.
 */

const light = `--paper: #f7f2e7; --sheet: #fefcf6; --ink: #211b16; --soft: #574c42;
  --rule: #e0d6c5; --control: #8f8272; --accent: #c4351a; --on-accent: #fffaf4; --link: #b52f15;
  --good: #2c6a43; --good-wash: #e1edde; --bad: #855005; --bad-wash: #f8e9c8; --fault: #97123b`;
const dark = `--paper: #1a1714; --sheet: #221e1a; --ink: #f1e9dc;
  --soft: #c3b7a7; --rule: #38312a; --control: #7b6f62; --accent: #f2694a; --on-accent: #20100a;
  --link: #ff8a6c; --good: #83c798; --good-wash: #1f3025; --bad: #e5b457; --bad-wash: #372a14;
  --fault: #f58ba4`;

const palettes = {
  auto: `:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }`,
  light: `:root { color-scheme: light; ${light} }`,
  dark: `:root { color-scheme: dark; ${dark} }`,
};
/** On paper, whatever the screen looked like. */
export const printed = `@page { size: A4; margin: 15mm }
@media print { :root:root:root { color-scheme: light; ${light}; --paper: #fff; --sheet: #fff } }`;
/** `auto`: as the visitor's system is. */
export type Theme = keyof typeof palettes;

const rules = `
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere }
main { inline-size: min(34rem, 100% - 2rem); margin-block: clamp(1rem, 8vh, 5rem) 1rem; margin-inline: auto;
  background: var(--sheet); border: 1px solid var(--control); border-radius: 5px }
.brand { display: flex; gap: .75rem; align-items: center; padding: 1rem 1.5rem; margin: 0;
  border-block-end: 1px solid var(--rule); font: 600 1.1rem/1.25 Georgia, serif }
.brand span:first-child { flex: none; display: grid; place-items: center; inline-size: 1.85rem;
  block-size: 1.85rem; border-radius: 3px; background: var(--accent); color: var(--on-accent) }
.sheet { padding: 1.5rem }
h1 { font: 600 1.6rem/1.25 Georgia, serif; margin: 0 } h1, button, .button { hyphens: auto }
h2 { font-size: 1.05rem; line-height: 1.4; margin: 0 0 .25rem }
p { margin: 0 } .lead { margin-block-start: .4rem; color: var(--soft) }
section, .notice, form.stack, details { margin-block-start: 1.5rem }
.soft { color: var(--soft); font-size: .9rem }
.notice { padding: .75rem 1rem; border-inline-start: 4px solid; background: var(--good-wash); color: var(--good) }
.notice.warning { background: var(--bad-wash); color: var(--bad) }
.notice form { margin-block-start: .6rem }
ul.rows { list-style: none; margin: .5rem 0 0; padding: 0; border-block-start: 1px solid var(--rule) }
ul.rows li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
  justify-content: space-between; padding-block: .75rem; border-block-end: 1px solid var(--rule) }
ul.rows li > div { flex: 1 1 12rem; min-inline-size: 0 } .name { font-weight: 600 }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin-block-start: .75rem }
button, .button { display: inline-block; max-inline-size: 100%; min-block-size: 2.75rem; padding: .55rem 1rem;
  border: 1px solid var(--control); border-radius: 3px; background: var(--sheet); color: var(--ink);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  overflow-wrap: anywhere }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
button:hover, .button:hover { border-color: var(--ink) }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
label, legend { display: block; font-weight: 600; padding: 0 } fieldset { border: 0; margin: 0; padding: 0 }
.field { margin-block-start: 1rem } .field .soft { display: block; font-weight: 400 }
.fault { color: var(--fault); font-size: .9rem }
input[type="text"], input[type="email"], input[type="number"], input[type="date"], select, textarea {
  inline-size: 100%; min-block-size: 2.75rem; margin-block-start: .25rem; padding: .5rem .75rem;
  border: 1px solid var(--control); border-radius: 3px; background: var(--sheet); color: var(--ink); font: inherit }
[aria-invalid="true"] { border-color: var(--fault); box-shadow: 0 0 0 1px var(--fault) }
.choice { display: flex; gap: .6rem; align-items: flex-start; font-weight: 400; margin-block-start: .5rem }
.choice input { flex: none; inline-size: 1.15rem; block-size: 1.15rem; margin: .2rem 0 0 }
summary { font-weight: 600; cursor: pointer; padding-block: .5rem }
.aside { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
footer { inline-size: min(34rem, 100% - 2rem); margin: 0 auto 2rem; color: var(--soft); font-size: .875rem }
footer nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
footer nav > * { display: inline-block; padding-block: .35rem } footer address { font-style: normal; margin-block-end: .75rem }
`;

/** The style sheet of a page; `color`: the project's own, null for ours. */
export function styleOf(color: string | null, theme: Theme = "auto"): string {
  const own = color && `:root:root { --accent: ${color}; --on-accent: ${inkOn(color)} }`;
  return `${palettes[theme]}\n${own ? `${own}\n` : ""}${rules}`;
}

/**
 * Of a page that has its sender's logo: on the colour that it was made for, whichever theme the page has, and as high before it is
 * there as afterwards.
 */
export const logoRules = (ground: string): string => `
.brand.logo { background: ${ground}; color: ${inkOn(ground)};
  border-start-start-radius: inherit; border-start-end-radius: inherit }
.logo img { block-size: 3rem; max-inline-size: 100%; object-fit: contain }
`;
