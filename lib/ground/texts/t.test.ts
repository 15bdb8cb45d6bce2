import { afterEach, describe, expect, test } from "vitest";
import { amount, counted, percent } from "@/lib/ground/amount";
import { currentLanguage, phrases, t, tPieces } from "./t";

const german = {
  language: "de",
  messages: {
    Saved: "Gespeichert",
    "Subscribe {email}?": "{email} anmelden?",
    "{count, plural, one {# email} other {# emails}}":
      "{count, plural, one {# E-Mail} other {# E-Mails}}",
    "Read <link>more</link> of {name}.": "Mehr von {name} <link>lesen</link>.",
    "Was sent": "Wurde gesendet",
    Reason: "Grund",
  },
};
const read = (catalogue: typeof german | null) => {
  globalThis.lettermillCatalogue = () => catalogue;
};
afterEach(() => {
  globalThis.lettermillCatalogue = undefined;
});

describe("a text of the dashboard", () => {
  test("is English for whoever reads English, and in the reader's language otherwise", () => {
    expect([t("Saved"), currentLanguage()]).toEqual(["Saved", "en"]);
    read(german);
    expect([t("Saved"), currentLanguage()]).toEqual(["Gespeichert", "de"]);
    expect(t("Subscribe {email}?", { email: "a'{b}<c>@example.com" })).toBe(
      "a'{b}<c>@example.com anmelden?",
    );
  });

  test("without a translation stands as it is, with its numbers in English", () => {
    read(german);
    expect(t("Unknown")).toBe("Unknown");
    expect(t("{n, number} of {all}", { n: 1_200, all: null })).toBe("1,200 of ");
  });

  test("without values is taken as it stands", () => {
    expect(t("Use {{ unsubscribeUrl }} <here>")).toBe("Use {{ unsubscribeUrl }} <here>");
  });

  test("has its pieces where the language wants them", () => {
    const pieces = () =>
      tPieces<object>("Read <link>more</link> of {name}.", {
        link: (words) => ({ link: words }),
        name: { bold: "Ada" },
      });
    expect(pieces()).toEqual(["Read ", { link: ["more"] }, " of ", { bold: "Ada" }, "."]);
    read(german);
    expect(pieces()).toEqual(["Mehr von ", { bold: "Ada" }, " ", { link: ["lesen"] }, "."]);
  });

  test("of a constant is looked up whenever it is read, and values are none", () => {
    const events = phrases({
      sent: "Was sent",
      rows: [{ value: "Reason", label: "Reason", href: null }],
    });
    read(german);
    expect(events.sent).toBe("Wurde gesendet");
    expect(events.rows.map((row) => ({ ...row }))).toEqual([
      { value: "Reason", label: "Grund", href: null },
    ]);
    read(null);
    expect(events.sent).toBe("Was sent");
  });
});

test("numbers are written and counted as the reader's language does", () => {
  expect([amount(12_345), percent(0.124), counted(1_200, "email")]).toEqual([
    "12,345",
    "12.4%",
    "1,200 emails",
  ]);
  read(german);
  expect([amount(12_345), percent(0.124), counted(1, "email"), counted(1_200, "email")]).toEqual([
    "12.345",
    "12,4\u00a0%",
    "1 E-Mail",
    "1.200 E-Mails",
  ]);
});
