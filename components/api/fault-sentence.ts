import { t } from "@/lib/ground/texts/t";

/** What schemas say most often, as whole sentences. */
const sentences: Readonly<Record<string, () => string>> = {
  "is required": () => t("This is required."),
  "is empty": () => t("This is empty."),
  "is not valid": () => t("This is not valid."),
  "is in the past": () => t("This is in the past."),
  "is not after scheduledAt": () => t("This has to be after the start."),
  "is not a number": () => t("This is not a number."),
  "is not a port": () => t("This is not a port."),
  "is not an email address": () => t("This is not an email address."),
  "is not a web address": () => t("This is not a web address."),
  "is not an http or https address": () => t("This is not an http or https address."),
  "contains control characters": () => t("This contains control characters."),
  "must not contain line breaks (CR, LF)": () => t("This must not contain line breaks (CR, LF)."),
};
const tooLong = /^is longer than ([\d,]+) characters$/;
const wholeNumber = /^is not a whole number from ([\d,]+) to ([\d,]+)$/;

/** A schema's or the API's word on one field as a sentence; in English where it is a rare one. */
export function faultSentence(message: string): string {
  const known = sentences[message];
  if (known) return known();
  const [, most] = tooLong.exec(message) ?? [];
  if (most) return t("This is longer than {most} characters.", { most });
  const [, from, to] = wholeNumber.exec(message) ?? [];
  if (from && to) return t("This is not a whole number from {from} to {to}.", { from, to });
  return `This ${message}.`;
}
