import { expect, test } from "vitest";
import type { CampaignStatus } from "@/db/enums";
import { notSentNote, progressWords, recipientsNote } from "./recipient-words";

const campaign = (
  status: CampaignStatus,
  audienceComplete: boolean,
  recipients: number,
  pending = 0,
) => ({ status, audienceComplete, stats: { recipients, pending } });

test("while the audience is written nobody is told that all of it was tried", () => {
  for (const status of ["SENDING", "PAUSED"] as const) {
    expect(recipientsNote(campaign(status, false, 0))).toBe("still being selected");
    expect(recipientsNote(campaign(status, false, 5000))).toBe("so far, still being selected");
  }
  expect(progressWords(campaign("SENDING", false, 0))).toBe("Selecting the recipients");
  expect(progressWords(campaign("SENDING", false, 5000, 4200))).toBe(
    "800 sent, 5,000 recipients selected so far",
  );
});

test("with the audience complete the note says what is left", () => {
  expect(recipientsNote(campaign("SENDING", true, 5000, 1))).toBe("1 still to send");
  expect(recipientsNote(campaign("PAUSED", true, 5000, 4200))).toBe("4,200 still to send");
  expect(recipientsNote(campaign("SENT", true, 5000))).toBe("all processed");
  expect(recipientsNote(campaign("SENT", true, 0))).toBe("nobody matched");
  expect(progressWords(campaign("SENDING", true, 5000, 4200))).toBe("800 of 5,000 sent");
});

test("what was cancelled in the middle of its audience is not said to go on", () => {
  expect(recipientsNote(campaign("CANCELLED", false, 5000))).toBe("selected before it was stopped");
  expect(recipientsNote(campaign("CANCELLED", true, 5000, 12))).toBe("12 not sent");
});

test("of a campaign that was stopped it is said that this kept people from it, of others not", () => {
  expect(notSentNote({ status: "CANCELLED", stats: { failed: 800 } })).toBe(
    "stopped before, unsubscribed, suppressed or failed",
  );
  expect(notSentNote({ status: "SENT", stats: { failed: 3 } })).toBe(
    "unsubscribed, suppressed or failed",
  );
  expect(notSentNote({ status: "CANCELLED", stats: { failed: 0 } })).toBe("nobody left out");
});

test("with personal times those who are left are said to wait for their hour", () => {
  const personalTime = { mode: "local", at: "09:00" } as const;
  expect(progressWords({ ...campaign("SENDING", true, 5000, 4200), personalTime })).toBe(
    "800 of 5,000 sent, the others each at their hour",
  );
  expect(progressWords({ ...campaign("SENDING", true, 5000), personalTime })).toBe(
    "5,000 of 5,000 sent",
  );
});
