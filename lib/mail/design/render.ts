import { mixed } from "./colours";
import { conditionSource } from "./liquid-parts";
import { readable, renderSimple, tableStart } from "./render-blocks";
import { fontStack, type Place } from "./render-text";
import type { Block, Columns, EmailDesign, Theme } from "./schema";

/** Pixels between the sheet's sides and its content, and between columns. */
const inset = 32;
const gap = 24;

function renderColumns({ content }: Columns, place: Place): string {
  const shares = content.reduce((sum, { attrs }) => sum + attrs.share, 0);
  const room = place.room - gap * (content.length - 1);
  const cells = content.map(({ attrs, content: blocks }, index) => {
    const width = Math.floor((room * attrs.share) / shares);
    const inColumn = { ...place, room: width };
    const last = index === content.length - 1;
    const rows = blocks.map((block) => renderSimple(block, inColumn, 0)).join("");
    // The class stacks them on phones whose mail program reads style elements; elsewhere they stay side by side.
    return (
      `<td class="column" width="${width + (last ? 0 : gap)}" valign="top" style="width:${width + (last ? 0 : gap)}px;${last ? "" : `padding-right:${gap}px;`}vertical-align:top">` +
      `${tableStart(' width="100%"')}\n${rows}</table></td>`
    );
  });
  return `<tr><td class="b-columns" style="padding:0 ${inset}px">${tableStart(' width="100%"')}<tr>${cells.join("")}</tr></table></td></tr>\n`;
}

function renderBlock(block: Block, place: Place): string {
  if (block.type === "columns") return renderColumns(block, place);
  if (block.type === "section") {
    const { background, color } = block.attrs;
    const inside = {
      ...place,
      ground: background,
      color: readable(color ?? place.color, background),
    };
    const rows = block.content.map((each) => renderBlock(each, inside)).join("");
    return (
      `<tr><td class="b-section" bgcolor="${background}" style="background-color:${background};padding:32px 0 16px">` +
      `${tableStart(' width="100%"')}\n${rows}</table></td></tr>\n` +
      `<tr><td height="24" style="height:24px;font-size:0;line-height:24px">&nbsp;</td></tr>\n`
    );
  }
  if (block.type === "condition") {
    const rows = block.content.map((each) => renderBlock(each, place)).join("");
    return `{% if ${conditionSource(block.attrs)} %}\n${rows}{% endif %}\n`;
  }
  return renderSimple(block, place, inset);
}

/** Improvements only: stacked columns on phones, no zoom of ours. Every mail works without them. */
const extras = ({ width }: Theme) =>
  `<style>@media (max-width:${width}px){.column{display:block!important;width:100%!important;padding-right:0!important}}</style>`;

/**
 * The HTML that is sent: tables with the styles on each element, in pixels, since Outlook reads neither style
 * elements nor max-width, and Gmail cuts mails over 102 KB. The same design always gives the same HTML.
 */
export function renderDesign(design: EmailDesign): string {
  const { theme, language = "en" } = design.attrs;
  const place: Place = {
    theme,
    room: theme.width - 2 * inset,
    color: readable(theme.text, theme.sheet),
    ground: theme.sheet,
  };
  const rows = design.content.map((block) => renderBlock(block, place)).join("");
  const { width, background, sheet, radius } = theme;
  const edge = mixed(background, sheet, 0.5);
  return `<!doctype html>
<html lang="${language}" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
${extras(theme)}
</head>
<body bgcolor="${background}" style="margin:0;padding:0;background-color:${background};font-family:${fontStack(theme.font)}">
${tableStart(` width="100%" bgcolor="${background}" style="background-color:${background}"`)}<tr><td align="center" style="padding:24px 8px">
<!--[if mso]>${tableStart(` width="${width}" align="center"`)}<tr><td><![endif]-->
${tableStart(` width="100%" bgcolor="${sheet}" style="width:100%;max-width:${width}px;background-color:${sheet};border:1px solid ${edge};border-radius:${radius}px"`)}
<tr><td height="32" style="height:32px;font-size:0;line-height:32px">&nbsp;</td></tr>
${rows}<tr><td height="16" style="height:16px;font-size:0;line-height:16px">&nbsp;</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}
