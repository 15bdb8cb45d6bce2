import type { StarterLanguage } from "@/components/mail-editor/starter-words";

const words = {
  en: {
    subject: "Welcome, {{ firstName | default: 'friend' }}",
    heading: "Good to have you here, {{ firstName | default: 'friend' }}.",
    text: "We will write to {{ email }} whenever we have news worth sharing.",
    pro: "Thank you for choosing the pro plan.",
  },
  de: {
    subject: "Willkommen{% if firstName %}, {{ firstName }}{% endif %}",
    heading: "Schön, dass Sie da sind{% if firstName %}, {{ firstName }}{% endif %}.",
    text: "Wir schreiben Ihnen an {{ email }}, wenn es Neues gibt, das sich zu lesen lohnt.",
    pro: "Vielen Dank, dass Sie sich für den Pro-Tarif entschieden haben.",
  },
} satisfies Record<StarterLanguage, object>;

/** What a new template starts with: tables, inlined styles and pixels, which every mail program knows. */
export const starterIn = (language: StarterLanguage) => ({
  name: "",
  subject: words[language].subject,
  body: `<!doctype html>
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
                <h1 style="font: bold 28px/36px Georgia, serif">${words[language].heading}</h1>
                <p>${words[language].text}</p>
                {% if plan == 'pro' %}
                  <p>${words[language].pro}</p>
                {% endif %}
              </td>
            </tr>
          </table>
          <!--[if mso]></td></tr></table><![endif]-->
        </td>
      </tr>
    </table>
  </body>
</html>
`,
});

/** What the preview of a list's or form's own mail is filled in with besides. */
const listSample = {
  listName: "The weekly letter",
  projectName: "Acme",
  confirmUrl: "https://example.com/confirm",
};

/** The sample data for what a template says. */
export const sampleFor = (body: string) =>
  /\b(?:listName|projectName|confirmUrl)\b/.test(body)
    ? JSON.stringify({ ...(JSON.parse(starterSample) as object), ...listSample }, null, 2)
    : starterSample;

export const starterSample = JSON.stringify(
  { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", plan: "pro" },
  null,
  2,
);
