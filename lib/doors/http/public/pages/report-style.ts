import { printed } from "./style";

/** What a report adds to the style of a page: it is wide on a screen, and made to be printed. */
export const reportRules = `
main, footer { inline-size: min(62rem, 100% - 2rem) }
.sheet { padding: clamp(1.25rem, 3vw, 2.25rem) }
.sheet > section { margin-block-start: 2.5rem }
.sheet h2 { font: 600 1.3rem/1.3 Georgia, serif; margin-block-end: .5rem }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1.25rem 1.5rem; margin: 1rem 0 0 }
.figures dt { color: var(--soft); font-size: .8rem; font-weight: 600 }
.figures dd { margin: 0; overflow-wrap: normal } .figures .value { font: 600 1.7rem/1.2 Georgia, serif }
.figures .note { color: var(--soft); font-size: .8rem }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.25rem; margin: 1rem 0 0 }
.facts dt { color: var(--soft) } .facts dd { margin: 0 }
.scroll { overflow-x: auto; margin-block-start: .75rem }
table { inline-size: 100%; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .45rem .75rem; border-block-end: 1px solid var(--rule); text-align: start; vertical-align: top }
th:first-child, td:first-child { padding-inline-start: 0 } th:last-child, td:last-child { padding-inline-end: 0 }
thead th { color: var(--soft); font-size: .8rem } tbody th { font-weight: 400; min-inline-size: 9rem }
.number { text-align: end; white-space: nowrap } thead .number { white-space: normal }
figure { margin: 1rem 0 0 } figcaption { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem }
.swatch { display: inline-block; inline-size: .7rem; block-size: .7rem; margin-inline-end: .4rem; border-radius: 2px }
.opened { background: var(--ink); fill: var(--ink) } .clicked { background: var(--link); fill: var(--link) }
.chart svg { display: block; inline-size: 100%; min-inline-size: 40rem; block-size: auto }
.chart text { fill: var(--soft); font: 13px system-ui, sans-serif } .chart .on-bar { fill: var(--ink) }
.chart .line { stroke: var(--rule) } .chart .base { stroke: var(--control) }
.won { font-weight: 600 }
iframe { display: block; inline-size: 100%; block-size: 40rem; margin-block-start: .75rem; border: 1px solid var(--control);
  border-radius: 3px; background: #fff; color-scheme: light }
${printed}
@media print {
  body { font-size: 10pt } main, footer { inline-size: 100%; margin: 0; border: 0 }
  .brand, .sheet { padding-inline: 0 } .sheet > section { margin-block-start: 1.75rem }
  h1, h2 { break-after: avoid } figure, .figures > div, tr, iframe { break-inside: avoid }
  thead { display: table-header-group } .scroll { overflow: visible } .chart svg { min-inline-size: 0 }
  .chart ~ details::details-content { content-visibility: visible; display: block; block-size: auto }
  .chart ~ details > summary { display: none } iframe { block-size: 17cm }
}
`;
