import { invalid } from "@/lib/ground/errors";
import { bodyTooLarge, fits } from "@/lib/mail/body-schema";
import { renderDesign } from "@/lib/mail/design/render";
import { emailDesign } from "@/lib/mail/design/schema";

/** HTML, and the design it was made from; both absent when nothing is said about them. */
export interface Designed {
  body?: string | null | undefined;
  design?: object | null | undefined;
}

/**
 * What an input says of a mail's content: a design's body is made from the design, whatever was sent with
 * it. Throws for an invalid design, and VALIDATION_ERROR at `path` for one whose body is larger than a body may be.
 */
export function designedContent({ body, design }: Designed, path = "design"): Designed {
  if (!design) return { body, design };
  const checked = emailDesign.parse(design);
  const made = renderDesign(checked);
  if (!fits(made)) throw invalid(path, `makes a body that ${bodyTooLarge}`);
  return { body: made, design: checked };
}

/** The design after a change: it is dropped when the body is no longer the one made from it. */
export function designAfter(
  before: { body: string | null; design: object | null },
  { body, design }: Designed,
): object | null {
  if (design !== undefined) return design;
  return body === undefined || body === before.body ? before.design : null;
}
