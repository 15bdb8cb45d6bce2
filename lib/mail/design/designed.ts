import { renderDesign } from "./render";
import { emailDesign } from "./schema";

/** HTML, and the design it was made from; both absent when nothing is said of them. */
export interface Designed {
  body?: string | null | undefined;
  design?: object | null | undefined;
}

/**
 * What an input says of a mail's content: the body of a design is made from it, whatever was sent beside it.
 * Throws for a design that is none.
 */
export function designedContent({ body, design }: Designed): Designed {
  if (!design) return { body, design };
  const checked = emailDesign.parse(design);
  return { body: renderDesign(checked), design: checked };
}

/** The design after a change: another body than the one it made leaves it behind. */
export function designAfter(
  before: { body: string | null; design: object | null },
  { body, design }: Designed,
): object | null {
  if (design !== undefined) return design;
  return body === undefined || body === before.body ? before.design : null;
}
