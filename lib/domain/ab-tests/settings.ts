import type { AbTest, AbTestVariant } from "@/db/schema/campaigns";
import { invalid, type FieldError } from "@/lib/ground/errors";
import { designAfter } from "@/lib/mail/content/designed";
import { checkContent } from "@/lib/mail/content/rendering";
import { emailDesign } from "@/lib/mail/design/schema";
import type { AbTestSettings, AbTestUpdate } from "./schema";
import { abTestDefaults } from "./terms";

/**
 * A variant's own content, as `designedContent` has it; nothing where it has the campaign's. `before`: the variants
 * that it may have been; by its HTML, since they have no ids and are moved.
 */
function ownContent(
  before: readonly (AbTestVariant | undefined)[],
  { body, design }: { body?: string | null | undefined; design?: object | null | undefined },
): Pick<AbTestVariant, "html" | "design"> {
  if (!body?.trim()) return {};
  const same = before.find((variant) => variant?.html === body);
  const drawn = designAfter(
    { body: same?.html ?? null, design: same?.design ?? null },
    { body, design },
  );
  return { html: body, ...(drawn ? { design: drawn } : {}) };
}

/**
 * The test after applying `input`, in which a design has become its body; anything it does not set stays as it is,
 * or gets the default. Throws VALIDATION_ERROR.
 */
export function changedAbTest(before: AbTest | null, input: AbTestUpdate): AbTest {
  const earlier = before?.variants ?? [];
  const variants = input.variants?.map(({ subject, previewText, fromName, ...content }, index) => ({
    subject,
    ...(previewText ? { previewText } : {}),
    ...(fromName?.trim() ? { fromName: fromName.trim() } : {}),
    ...ownContent([earlier[index], ...earlier], content),
  }));
  const { testPercentage, winnerMetric, winnerAfterMinutes } = abTestDefaults;
  if (!variants && !before) throw invalid("abTest.variants", "is required");
  return {
    variants: variants ?? before?.variants ?? [],
    testPercentage: input.testPercentage ?? before?.testPercentage ?? testPercentage,
    winnerMetric: input.winnerMetric ?? before?.winnerMetric ?? winnerMetric,
    winnerAfterMinutes:
      input.winnerAfterMinutes ?? before?.winnerAfterMinutes ?? winnerAfterMinutes,
  };
}

/** jsonb keeps the keys of an object in an order of its own: two readings of a design must not differ by it. */
const inOrder = (design: object) =>
  (emailDesign.safeParse(design).data ?? design) as Record<string, unknown>;

export function toAbTestSettings(test: AbTest): AbTestSettings {
  return {
    variants: test.variants.map(({ subject, previewText, fromName, html, design }) => ({
      subject,
      previewText: previewText ?? null,
      fromName: fromName ?? null,
      body: html ?? null,
      design: design ? inOrder(design) : null,
    })),
    testPercentage: test.testPercentage,
    winnerMetric: test.winnerMetric,
    winnerAfterMinutes: test.winnerAfterMinutes,
  };
}

/** Where a variant's field stands in an input. */
export const variantPath = (index: number) => `abTest.variants[${index}].`;

/** What variants need before they can be sent, and lack. */
export function missingInVariants(test: AbTest | null): FieldError[] {
  return (test?.variants ?? []).flatMap(({ subject }, index) =>
    subject.trim() ? [] : [{ path: `${variantPath(index)}subject`, message: "is required" }],
  );
}

/** Throws VALIDATION_ERROR, naming the place, when a variant's Liquid does not parse. */
export async function checkVariants(
  projectId: string,
  variants: readonly { subject: string; previewText?: string | null; body?: string | null }[] = [],
): Promise<void> {
  for (const [index, { subject, previewText, body }] of variants.entries()) {
    await checkContent(projectId, { subject, previewText, html: body }, variantPath(index));
  }
}

/** What one message of a campaign says. */
export interface VariantContent {
  subject: string;
  previewText: string;
  fromName: string;
  html: string | null;
  text: string | null;
}

/** What each variant says; without an A/B test, what the campaign says. */
export function variantsOf(campaign: VariantContent & { abTest: AbTest | null }): VariantContent[] {
  const { previewText, fromName, html, text } = campaign;
  return (
    campaign.abTest?.variants.map((variant) => ({
      subject: variant.subject,
      previewText: variant.previewText ?? previewText,
      fromName: variant.fromName ?? fromName,
      // The campaign's plain part says what the campaign's HTML says.
      ...(variant.html === undefined ? { html, text } : { html: variant.html, text: null }),
    })) ?? [campaign]
  );
}
