import { currentLanguage } from "@/lib/ground/texts/t";
import { german } from "./starter-words-de";

/** The languages that designs and first lines are written in; of recipients, so not the dashboard's. */
export const starterLanguages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
] as const;
export type StarterLanguage = (typeof starterLanguages)[number]["code"];

const words: Record<StarterLanguage, Readonly<Record<string, string>>> = { en: {}, de: german };

/** What is said of an English text in that language. */
export const saidIn = (language: StarterLanguage, english: string): string =>
  words[language][english] ?? english;

/** The project's language (BCP 47), else the reader's, else English. */
export function starterLanguageOf(project: string | undefined): StarterLanguage {
  for (const wanted of [project, currentLanguage()]) {
    const primary = wanted?.split("-", 1)[0]?.toLowerCase();
    const found = starterLanguages.find(({ code }) => code === primary);
    if (found) return found.code;
  }
  return "en";
}
