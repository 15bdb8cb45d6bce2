import { z } from "zod";

const largestBodyBytes = 5 * 1024 * 1024;

/** What a body that does not fit is told. */
export const bodyTooLarge = "is larger than 5 MB";

/** Whether a text has at most so many bytes of UTF-8: as many as a body may have, unless given. */
export function fits(text: string, most = largestBodyBytes): boolean {
  return text.length * 3 <= most || new TextEncoder().encode(text).length <= most;
}

/** HTML or text of a mail, 5 MB in UTF-8. */
export const bodyText = z
  .string()
  .max(largestBodyBytes, { error: bodyTooLarge, abort: true })
  .refine((text) => fits(text), bodyTooLarge);
