import type { ExpectedRecord } from "./records";

/**
 * The MAIL FROM domain of a domain's mail through Amazon SES, unless the account has another one. SES wants its MX
 * record, which names the region, to be the only one: so each region has a host, and none is the return path's.
 */
export function mailFromHost(name: string, region: string): string {
  return `ses-${region}.${name}`;
}

/** Where SES takes bounces in a region: https://docs.aws.amazon.com/ses/latest/dg/mail-from.html */
export const feedbackExchange = (region: string) => `feedback-smtp.${region}.amazonses.com`;

export const sesMechanisms = ["include:amazonses.com"];

type SesRecord = Omit<ExpectedRecord, "purpose"> & { type: "MX" | "TXT" };

/** What a domain's owner is asked to publish for a MAIL FROM domain; without it mail leaves under amazonses.com. */
export function mailFromRecords(host: string, region: string): SesRecord[] {
  return [
    { type: "MX", name: host, value: feedbackExchange(region), priority: 10, required: false },
    {
      type: "TXT",
      name: host,
      value: ["v=spf1", ...sesMechanisms, "~all"].join(" "),
      required: false,
    },
  ];
}
