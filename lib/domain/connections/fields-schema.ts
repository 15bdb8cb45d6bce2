import { z } from "zod";
import { awsRegion, isTopicArn } from "@/lib/ground/providers/aws-schema";

const isPlain = (text: string) => /^\P{Cc}*$/u.test(text);
export const name = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .refine(isPlain, "contains control characters")
  .meta({ example: "Our mail server" });
export const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, "is empty")
  .max(253, "is longer than 253 characters")
  .regex(/^([a-z0-9_-]+\.)*[a-z0-9-]+\.?$|^[0-9a-f:]+$/, "is neither a host name nor an address")
  .meta({ example: "smtp.example.com" });
export const port = z
  .int("is not a port")
  .min(1, "is not a port")
  .max(65_535, "is not a port")
  .meta({
    description:
      "25, 465, 587, 2465, 2525 or 2587; any other only where the installation allows private addresses.",
    example: 587,
  });
export const tlsModes = ["implicit", "required", "opportunistic", "off"] as const;
export const tls = z.enum(tlsModes).meta({
  description:
    "implicit: TLS from the first byte. required: STARTTLS with a valid certificate, or no mail. opportunistic: STARTTLS where offered. off: never. With a user name it is `implicit` or `required`.",
});
export const receiversTls = z.enum(["opportunistic", "required"]).meta({
  description:
    "opportunistic: TLS where a receiver offers it, and as its MTA-STS policy demands. required: with a valid certificate, or no mail.",
});
export const user = z
  .string()
  .trim()
  .max(320, "is longer than 320 characters")
  .refine(isPlain, "contains control characters")
  .nullable()
  .meta({ description: "null: no login." });
export const password = z
  .string()
  .max(1000, "is longer than 1000 characters")
  .refine(isPlain, "contains control characters")
  .meta({ description: "Kept sealed; it is never shown again." });
export const sessions = z
  .int("is not a whole number from 1 to 50")
  .min(1, "is not a whole number from 1 to 50")
  .max(50, "is not a whole number from 1 to 50")
  .meta({
    description: "Sessions, or requests to a provider, that each worker may have open at once.",
  });
export const messagesPerMinute = z
  .int("is not a whole number from 1 to 60,000")
  .min(1, "is not a whole number from 1 to 60,000")
  .max(60_000, "is not a whole number from 1 to 60,000")
  .nullable()
  .meta({
    description:
      "Emails that each worker gives one receiving host in a minute at most, spread over it; null: as many as the host takes. One that asks for less gets less in either case.",
    example: 600,
  });
export const standard = z.boolean().meta({
  description: "Whether it takes the mail of all domains that name no other connection.",
});
export const fallbackId = z.string().max(100).nullable().meta({
  description:
    "Id of the connection that takes its mail while it cannot be reached, refuses the login, or asks for less.",
});
const ofMissing = ({ input }: { input?: unknown }) =>
  input === undefined ? "is required" : undefined;
const secret = (description: string) =>
  z
    .string({ error: ofMissing })
    .trim()
    .min(1, "is empty")
    .max(1000, "is longer than 1000 characters")
    .refine(isPlain, "contains control characters")
    .meta({ description });
export const apiKey = secret("The provider's API key. Kept sealed; it is never shown again.");
export const webhookSecret = secret(
  "What the provider signs its webhook with, as its dashboard shows it: Resend's signing secret, Mailgun's HTTP webhook signing key, SendGrid's verification key. Kept sealed; without it the webhook is refused.",
);
export const region = z.enum(["us", "eu"]);
const isRegion = (text: string) => awsRegion.test(text);
export const sesRegion = z
  .string()
  .trim()
  .toLowerCase()
  .max(30, "is longer than 30 characters")
  .refine(isRegion, "is no region of AWS, such as eu-central-1")
  .meta({ description: "The region of AWS that the account sends from.", example: "eu-central-1" });
export const anyRegion = z
  .string()
  .trim()
  .toLowerCase()
  .max(30, "is longer than 30 characters")
  .meta({ description: "`us` or `eu` at Mailgun, a region of AWS for `ses`." });
export const accessKeyId = z
  .string()
  .trim()
  .regex(/^\w{16,128}$/, "is no access key ID")
  .meta({ description: "Which of the account's keys is used.", example: "AKIAIOSFODNN7EXAMPLE" });
export const secretAccessKey = secret(
  "The key's secret. Kept sealed; it is never shown again. Of the key's rights, sending takes `ses:SendEmail` and `ses:SendRawEmail`; making domains known to SES takes `ses:GetEmailIdentity`, `ses:CreateEmailIdentity`, `ses:PutEmailIdentityDkimSigningAttributes`, `ses:PutEmailIdentityMailFromAttributes` and `ses:DeleteEmailIdentity`.",
);
export const configurationSet = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/, "is no name of a configuration set")
  .nullable()
  .meta({
    description: "The configuration set that SES applies; null: the identity's own, if any.",
  });
export const topicArn = z
  .string()
  .trim()
  .max(400, "is longer than 400 characters")
  .refine(isTopicArn, "is no ARN of an SNS topic")
  .nullable()
  .meta({
    description:
      "The SNS topic whose notifications are taken, and no other's; null: the first one that asks to be confirmed, which then stands here.",
    example: "arn:aws:sns:eu-central-1:123456789012:lettermill",
  });
export const sendingDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, "is longer than 253 characters")
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/, "is not a domain")
  .meta({ description: "The domain as Mailgun knows it.", example: "mg.example.com" });
const stream = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .regex(/^[A-Za-z0-9_-]+$/, "is not the id of a message stream");
export const messageStream = stream.meta({
  description: "Id of the Postmark stream of all mail outside campaigns.",
});
export const campaignStream = stream.meta({
  description: "Id of the Postmark stream of campaign mail.",
});
