import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catalogueOf } from "./catalogues";
import { inEnglish, keptText, keptTextOrNull } from "./kept-text";

describe("a sentence that was kept in English", () => {
  beforeEach(() => {
    const german = catalogueOf("de");
    globalThis.lettermillCatalogue = () => german;
  });
  afterEach(() => {
    globalThis.lettermillCatalogue = undefined;
  });

  it.each([
    ["Every delivery failed for five days.", "Fünf Tage lang schlug jede Zustellung fehl."],
    [
      "The sender domain news.example no longer exists.",
      "Die Absenderdomain news.example gibt es nicht mehr.",
    ],
    [
      "1,204 of 12,000 emails sent bounced: 10%.",
      "1.204 von 12.000 gesendeten E-Mails kamen zurück: 10\u00a0%.",
    ],
    [
      "12 of 4,000 emails to google.com sent today were reported as spam: 0.31%.",
      "12 von 4.000 heute an google.com gesendeten E-Mails wurden als Spam gemeldet: 0,31\u00a0%.",
    ],
    [
      "The mail server refuses this campaign's mail: 550 5.7.1 {not} <yours>, 100% sure",
      "Der Mailserver lehnt die E-Mails dieser Kampagne ab: 550 5.7.1 {not} <yours>, 100% sure",
    ],
  ])("is said in the reader's language: %s", (sentence, german) => {
    expect(keptText(sentence)).toBe(german);
    expect(keptText(sentence)).toBe(german);
  });

  it.each(["", "of", "451 4.7.1 Try again later.", "12 of 30", "550 no longer exists."])(
    "stays as it is when no message of ours made it: %j",
    (sentence) => {
      expect(keptText(sentence)).toBe(sentence);
    },
  );

  it("is written in English, whoever's request it is", () => {
    const sentence = inEnglish("{receiver} asks for less mail.", { receiver: "google.com" });
    expect(sentence).toBe("google.com asks for less mail.");
    expect(keptText(sentence)).toBe("google.com bittet um weniger E-Mails.");
  });

  it("stays null where there is none", () => {
    expect(keptTextOrNull(null)).toBeNull();
  });
});

it("is English for whoever reads English", () => {
  globalThis.lettermillCatalogue = undefined;
  expect(keptText("Every delivery failed for five days.")).toBe(
    "Every delivery failed for five days.",
  );
});
