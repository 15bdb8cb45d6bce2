import { contentDifference, type Difference } from "@/components/versions/differences";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignVersion } from "@/lib/domain/campaigns/version-schema";
import { t } from "@/lib/ground/texts/t";
import { testWords } from "./timing-words";
import { variantName, variantText } from "./variants";

/** A version of a campaign, with the name of the template that it sends; empty: none. */
export interface NamedVersion extends CampaignVersion {
  template: string;
}

const senderOf = ({ from, fromName }: CampaignVersion) =>
  fromName && from ? `${fromName} <${from}>` : fromName || from;

function testText(test: AbTestSettings | null): string {
  if (!test) return "";
  const variants = test.variants.map(
    (variant, index) =>
      `${t("Variant {name}", { name: variantName(index) })}: ${variantText(variant)}`,
  );
  return [testWords(test), ...variants].join("\n");
}

/** What two versions of a campaign say, part by part. */
export function campaignDifferences(older: NamedVersion, newer: NamedVersion): Difference[] {
  const part = (label: string, text: (version: NamedVersion) => string): Difference => ({
    label,
    before: text(older),
    after: text(newer),
  });
  return [
    part(t("Subject"), ({ subject }) => subject),
    part(t("Preview text"), ({ previewText }) => previewText),
    part(t("Sender"), senderOf),
    part(t("Reply to"), ({ replyTo }) => replyTo ?? ""),
    part(t("Template"), ({ template }) => template),
    contentDifference(older, newer),
    part(t("Plain text"), ({ text }) => text ?? ""),
    part(t("A/B test"), ({ abTest }) => testText(abTest)),
  ];
}
