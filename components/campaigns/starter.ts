import { htmlLetter } from "@/components/mail-editor/html-letter";
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

/** A letter to start from. */
export const campaignStarterIn = (language: StarterLanguage) =>
  htmlLetter(language, [
    `<p>${words[language].greeting}</p>`,
    `<p>${words[language].text}</p>`,
    `<p><a href="https://example.com/">${words[language].link}</a></p>`,
  ]);
