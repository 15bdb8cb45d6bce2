import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { faultSentence } from "./fault-sentence";

/** The sentence to show for anything that a call threw. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : t("Something went wrong in the browser.");
}

/** What is wrong with one field, in the API's words; null when nothing is. */
export function fieldFault(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const message = error.details.find((detail) => detail.path === path)?.message;
  return message ? faultSentence(message) : null;
}

/** The message for the form as a whole; null when every fault is shown at its field. */
export function formFault(error: unknown, paths: readonly string[]): string | null {
  if (!error) return null;
  const atFields =
    error instanceof ApiError &&
    error.details.length > 0 &&
    error.details.every((detail) => paths.includes(detail.path));
  return atFields ? null : messageOf(error);
}
