import { t } from "@/lib/ground/texts/t";
import type { EmailDesign, Theme } from "@/lib/mail/design/schema";
import { hasTornTags, importMarked } from "./import-html";
import { takeMjml } from "./mjml-blocks";

/** A design of a text in MJML, and what it could not take over, in words; null: it cannot be read. Browser only. */
export function importMjml(
  source: string,
  theme: Theme,
): { design: EmailDesign; left: readonly string[] } | null {
  const taken = takeMjml(source, theme);
  if (!taken) return null;
  const design = importMarked(taken.html, { ...theme, ...taken.theme });
  const torn = hasTornTags(design)
    ? [
        t(
          "a condition or loop that begins in one text and ends in another: it stands there as text",
        ),
      ]
    : [];
  return { design, left: [...taken.left, ...torn] };
}
