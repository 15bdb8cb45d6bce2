import { describe, expect, test } from "vitest";
import english from "./languages/en.json";
import {
  acceptedLanguages,
  languageIn,
  listLanguages,
  makeTexts,
  matchLanguage,
  textsFor,
} from "./texts";

describe("a language", () => {
  test("is one file, found by its name", () => {
    expect(listLanguages()).toEqual([
      { code: "de", name: "Deutsch" },
      { code: "en", name: "English" },
      { code: "es", name: "Español" },
      { code: "fr", name: "Français" },
      { code: "pl", name: "Polski" },
    ]);
  });

  test("is the first asked for that there is, regions or not, and else English", () => {
    expect(textsFor("nl", "de-AT", "fr").language).toBe("de");
    expect(textsFor(null, undefined, "PL").language).toBe("pl");
    expect(textsFor("nl", "../../etc", "").language).toBe("en");
    expect(matchLanguage("pt_BR")).toBeNull();
    expect(matchLanguage("es_MX")).toBe("es");
  });

  test("is what the browser wants most, whatever else the header holds", () => {
    expect(acceptedLanguages("fr;q=0.3, de-CH, en;q=0.8, *;q=0.1")).toEqual(["de-CH", "en", "fr"]);
    expect(acceptedLanguages("de;q=0, <script>;q=1, en")).toEqual(["en"]);
    expect(acceptedLanguages(null)).toEqual([]);
    expect(acceptedLanguages(",".repeat(100_000))).toEqual([]);
  });

  test("of a contact is in its data, if it is one of ours", () => {
    expect(languageIn({ language: "fr-CA" })).toBe("fr-CA");
    expect(languageIn({ language: "xx", locale: "pl_PL" })).toBe("pl_PL");
    expect(languageIn({ language: 5 })).toBeNull();
    expect(languageIn(null)).toBeNull();
  });
});

describe("a text", () => {
  test("counts as its language does", () => {
    const sentence = (code: string, waiting: number) =>
      textsFor(code).text("mail.paused.text", {
        project: "P",
        campaign: "C",
        reason: "R",
        waiting,
      });
    expect(sentence("en", 1)).toContain("1 person has not");
    expect(sentence("pl", 3)).toContain("3 osoby jej nie otrzymały");
    expect(sentence("pl", 5)).toContain("5 osób jej nie otrzymało");
    expect(sentence("de", 12_000)).toContain("12.000 Personen haben");
  });

  test("comes in pieces where something in it stands out, and values are never markup", () => {
    const pieces = textsFor("en").rich(
      "preferences.lead",
      { project: "<b>A</b> {x}", email: "ada@example.com" },
      (words) => ({ bold: words }),
    );
    expect(pieces).toEqual(["What <b>A</b> {x} sends to ", { bold: "ada@example.com" }]);
  });

  test("knows which way its language is written", () => {
    expect(makeTexts("ar", english).dir).toBe("rtl");
    expect(makeTexts("he-IL", english).dir).toBe("rtl");
    expect(textsFor("de").dir).toBe("ltr");
  });
});
