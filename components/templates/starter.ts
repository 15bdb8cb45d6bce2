import { htmlLetter } from "@/components/mail-editor/html-letter";
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

/** What a new template starts with. */
export const starterIn = (language: StarterLanguage) => ({
  name: "",
  subject: words[language].subject,
  body: htmlLetter(language, [
    `<h1 style="font: bold 28px/36px Georgia, serif">${words[language].heading}</h1>`,
    `<p>${words[language].text}</p>`,
    "{% if plan == 'pro' %}",
    `  <p>${words[language].pro}</p>`,
    "{% endif %}",
  ]),
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
