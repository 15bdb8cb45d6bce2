import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { currentLanguage, t } from "@/lib/ground/texts/t";
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
