import { expect, test } from "vitest";
import { defaultTheme } from "@/lib/mail/design/schema";
import { campaignDifferences, type NamedVersion } from "./version-differences";

const version = (more: Partial<NamedVersion> = {}): NamedVersion => ({
  ...{ version: 1, savedAt: "2026-11-24T08:00:00.000Z", subject: "Hi", previewText: "" },
  ...{ from: "news@example.com", fromName: "", replyTo: null, body: "<p>Hi</p>", design: null },
  ...{ text: null, templateId: null, template: "", abTest: null, ...more },
});
const design = (text: string) => ({
  type: "doc",
  attrs: { theme: defaultTheme },
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
const different = (older: NamedVersion, newer: NamedVersion) =>
  campaignDifferences(older, newer).filter(({ before, after }) => before !== after);

test("two versions that say the same differ nowhere", () => {
  expect(different(version(), version({ version: 2 }))).toEqual([]);
});

test("each part that differs is shown with both texts", () => {
  const newer = version({
    ...{ subject: "Hello", fromName: "Ada", replyTo: "ada@example.com", text: "Hello" },
    ...{ templateId: "tpl_1", template: "Monthly", body: null },
  });
  expect(different(version(), newer)).toEqual([
    { label: "Subject", before: "Hi", after: "Hello" },
    { label: "Sender", before: "news@example.com", after: "Ada <news@example.com>" },
    { label: "Reply to", before: "", after: "ada@example.com" },
    { label: "Template", before: "", after: "Monthly" },
    { label: "HTML", before: "<p>Hi</p>", after: "" },
    { label: "Plain text", before: "", after: "Hello" },
  ]);
});

test("what was drawn is compared by its blocks, that of variants as well", () => {
  const test = {
    variants: [
      { subject: "Hi", previewText: null, fromName: null, body: null, design: null },
      {
        subject: "Ho",
        previewText: "See",
        fromName: "Bob",
        body: "<p>x</p>",
        design: design("Ho"),
      },
    ],
    ...{ testPercentage: 30, winnerMetric: "opens" as const, winnerAfterMinutes: 60 },
  };
  const older = version({ design: design("One"), body: "<p>One</p>" });
  const newer = version({ design: design("Two"), body: "<p>Two</p>", abTest: test });
  const [blocks, variants, ...rest] = different(older, newer);
  expect(blocks).toMatchObject({
    ...{ label: "Blocks", before: expect.stringContaining("One") as unknown },
    after: expect.stringContaining("Two") as unknown,
  });
  expect(variants).toMatchObject({ label: "A/B test", before: "" });
  expect(variants?.after).toMatch(
    /^30% of the audience .*\nVariant A: Hi\nVariant B: Ho\nSee\nBob\n/,
  );
  expect(variants?.after).toContain("Ho");
  expect(rest).toEqual([]);
});
