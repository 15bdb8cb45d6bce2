import type { StarterLanguage } from "@/components/mail-editor/starter-words";

const words = {
  en: {
    greeting: "Hello {{ firstName | default: 'there' }},",
    text: "Here is what is new.",
    link: "Read more",
  },
  de: {
    greeting: "Hallo {{ firstName | default: 'und guten Tag' }},",
    text: "das gibt es Neues.",
    link: "Weiterlesen",
  },
} satisfies Record<StarterLanguage, object>;

/** A letter to start from: tables, inlined styles and pixels, which every mail program knows. */
export const campaignStarterIn = (language: StarterLanguage) => `<!doctype html>
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
                <p>${words[language].greeting}</p>
                <p>${words[language].text}</p>
                <p><a href="https://example.com/">${words[language].link}</a></p>
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
