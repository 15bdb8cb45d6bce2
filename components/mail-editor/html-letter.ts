import type { StarterLanguage } from "./starter-words";

/** HTML to begin with around what a letter says: tables, inlined styles and pixels, which every mail program knows. */
export const htmlLetter = (language: StarterLanguage, lines: readonly string[]) => `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
  </head>
  <body style="margin: 0">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
      <tr>
        <td align="center" style="padding: 32px 20px">
          <!--[if mso]><table role="presentation" width="544" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 544px">
            <tr>
              <td align="left" style="font: 16px/26px Georgia, serif">
${lines.map((line) => `                ${line}`).join("\n")}
              </td>
            </tr>
          </table>
          <!--[if mso]></td></tr></table><![endif]-->
        </td>
      </tr>
    </table>
  </body>
</html>
`;
