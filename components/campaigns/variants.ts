import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import { abTestDefaults } from "@/lib/domain/ab-tests/terms";
import type { EmailContent } from "@/components/mail-editor/content-editor";
import { designText } from "@/components/mail-editor/design-text";
import { counted } from "@/components/ui/numbers";
import { variantNames, type VariantName, type WinnerMetric } from "@/db/enums";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";

/** A variant as its form has it; an empty field means the campaign's own. The first variant's subject is the campaign's. */
export interface VariantDraft extends EmailContent {
  subject: string;
  previewText: string;
  fromName: string;
}

/** A campaign's A/B test as its form has it. */
export interface AbTestDraft {
  abTest: boolean;
  variants: readonly VariantDraft[];
  testPercentage: string;
  winnerMetric: WinnerMetric;
  winnerAfterMinutes: string;
}

export const noVariant: VariantDraft = {
  subject: "",
  previewText: "",
  fromName: "",
  body: "",
  design: null,
};

/** What a variant says in place of the campaign. */
export const variantText = ({
  subject,
  previewText,
  fromName,
  body,
  design,
}: AbTestSettings["variants"][number] | VariantDraft) =>
  [subject, previewText, fromName, design ? designText(design as EmailDesign) : body]
    .filter(Boolean)
    .join("\n");

export const variantName = (index: number): VariantName => variantNames[index] ?? "A";

/** One key for each variant on the page: the ones there are, and new ones for those that were added. */
export function keysInStep(keys: readonly number[], count: number): readonly number[] {
  const next = Math.max(-1, ...keys) + 1;
  return Array.from({ length: count }, (_, at) => keys[at] ?? next + at - keys.length);
}

export function toAbTestDraft(test: AbTestSettings | null): AbTestDraft {
  const { testPercentage, winnerMetric, winnerAfterMinutes } = test ?? abTestDefaults;
  return {
    abTest: test !== null,
    variants: test?.variants.map(({ subject, previewText, fromName, body, design }, index) => ({
      subject: index === 0 ? "" : subject,
      previewText: previewText ?? "",
      fromName: fromName ?? "",
      body: body ?? "",
      design: design as EmailDesign | null,
    })) ?? [noVariant, noVariant],
    testPercentage: String(testPercentage),
    winnerMetric,
    winnerAfterMinutes: String(winnerAfterMinutes),
  };
}

/** The update that saves it. */
export function toAbTestUpdate(draft: AbTestDraft & { subject: string }) {
  if (!draft.abTest) return null;
  return {
    variants: draft.variants.map(({ subject, previewText, fromName, body, design }, index) => ({
      subject: index === 0 ? draft.subject : subject,
      previewText: previewText || null,
      fromName: fromName || null,
      // The server makes the HTML of a design itself.
      ...(design ? { design } : { body: body || null, design: null }),
    })),
    testPercentage: Number(draft.testPercentage),
    winnerMetric: draft.winnerMetric,
    winnerAfterMinutes: Number(draft.winnerAfterMinutes),
  };
}

/** What is left to do for the test; null: nothing. */
export function abTestTodo(draft: AbTestDraft & { opens: string; clicks: string }): string | null {
  if (!draft.abTest) return null;
  const empty = draft.variants.findIndex(({ subject }, index) => index > 0 && !subject.trim());
  if (empty > 0) return t("Write subject {name}", { name: variantName(empty) });
  if (draft[draft.winnerMetric] !== "off") return null;
  return draft.winnerMetric === "opens"
    ? t("Count opens, which decide the test")
    : t("Count clicks, which decide the test");
}

/** `1 hour`, `90 minutes`, `2 days`. */
export function waitWords(minutes: number): string {
  if (minutes % 1440 === 0) return counted(minutes / 1440, "day");
  return minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");
}
