/** A letter to start from: tables, inlined styles and pixels, which every mail program knows. */
export const campaignStarter = `<!doctype html>
<html lang="en">
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
                <p>Hello {{ firstName | default: 'there' }},</p>
                <p>Here is what is new.</p>
                <p><a href="https://example.com/">Read more</a></p>
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
