import type { Suppression } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

type Source = NonNullable<Suppression["source"]>;

/** Through whom; follows what they did. */
function byWords(by: NonNullable<Source["by"]>): string {
  switch (by.type) {
    case "user":
      return by.name === null ? t("by somebody who is gone") : t("by {name}", { name: by.name });
    case "apiKey":
      return by.name === null
        ? t("with an API key")
        : t("with the API key {name}", { name: by.name });
    case "platformToken":
      return by.name === null
        ? t("with a platform token of somebody who is gone")
        : t("with a platform token of {name}", { name: by.name });
    default:
      return t("by Lettermill");
  }
}

/** Where a suppression comes from, as a sentence without its full stop. */
export function sourceWords({ source }: Pick<Suppression, "source">): string {
  if (source === null) return t("Not recorded");
  const by = source.by && byWords(source.by);
  switch (source.type) {
    case "bounce":
      return t("An email that bounced");
    case "complaint":
      return t("An email that was reported as spam");
    case "added":
      return by ? t("Added {by}", { by }) : t("Added by hand");
    case "import":
      return by ? t("A file, imported {by}", { by }) : t("A file, imported");
    case "merge":
      return by
        ? t("Another address of the same person, merged {by}", { by })
        : t("Another address of the same person, merged");
    case "restored":
      return t("It was suppressed when its contact was deleted, and came back");
  }
}
