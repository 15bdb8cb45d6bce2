import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { currentLanguage, readerLocale, t } from "@/lib/ground/texts/t";
import { inLanguage } from "./language";

const asked = (headers: Record<string, string>, isPage = true) =>
  inLanguage({ headers } as unknown as IncomingMessage, {
    isPage,
    answer: () => [currentLanguage(), t("Cancel")],
  });

test("a reader gets the language they chose, else the first of their browser's that there is", () => {
  expect(asked({ "accept-language": "fr, de-AT;q=0.9, en;q=0.8" })).toEqual(["de", "Abbrechen"]);
  expect(asked({ "accept-language": "de", cookie: "theme=dark; language=en" })).toEqual([
    "en",
    "Cancel",
  ]);
  expect(asked({ "accept-language": "en-US", cookie: "language=de" })).toEqual(["de", "Abbrechen"]);
});

test("whoever asks for no language of ours reads English", () => {
  for (const headers of [{}, { "accept-language": "fr" }, { cookie: "language=../../etc" }]) {
    expect(asked(headers as Record<string, string>)).toEqual(["en", "Cancel"]);
  }
});

test("programs are answered in English whatever they ask for", () => {
  expect(asked({ "accept-language": "de", authorization: "Bearer x" })).toEqual(["en", "Cancel"]);
  expect(asked({ "accept-language": "de" }, false)).toEqual(["en", "Cancel"]);
  expect(asked({ "accept-language": "de", cookie: "session=x" }, false)).toEqual([
    "de",
    "Abbrechen",
  ]);
});

test("requests at the same time keep their languages apart", async () => {
  const later = (language: string) =>
    inLanguage({ headers: { "accept-language": language } } as IncomingMessage, {
      isPage: true,
      answer: async () => {
        await sleep(5);
        return t("Cancel");
      },
    });
  expect(await Promise.all([later("de"), later("en"), later("de")])).toEqual([
    "Abbrechen",
    "Cancel",
    "Abbrechen",
  ]);
});

test.each([
  ["en-US,en;q=0.9", "en-US"],
  ["en", "en-GB"],
  ["fr, en-AU;q=0.5", "en-AU"],
  ["de-CH", "de-CH"],
  ["de", "de"],
  ["en-Latn-US", "en-US"],
  ["en-XX", "en-GB"],
  ["en-a", "en-GB"],
  ["nonsense", "en-GB"],
])("dates and numbers are written as the browser's region does: %s", (accepted, locale) => {
  const headers = { "accept-language": accepted };
  const request = { headers } as unknown as IncomingMessage;
  expect(inLanguage(request, { isPage: true, answer: readerLocale })).toBe(locale);
});

test("the region of another language than the chosen one says nothing", () => {
  const headers = { "accept-language": "en-US", cookie: "language=de" };
  const request = { headers } as unknown as IncomingMessage;
  expect(inLanguage(request, { isPage: true, answer: readerLocale })).toBe("de");
});
