import { z } from "zod";
import { typedCode } from "@/lib/domain/users/schema";
import { retention, retentionUpdate } from "@/lib/domain/retention/schema";
import { brand } from "@/lib/mail/design/brand-schema";
import { basedOn } from "@/lib/ground/updates/schema";

export const projectName = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .regex(/^\P{Cc}*$/u, "contains control characters");

/** The part of a person's platform API token that can be shown without revealing it. */
export const platformToken = z.object({
  /** null: it cannot be read here (see readPlatformToken), and goes on working. */
  last4: z.string().nullable(),
  /** When it was created or last replaced. */
  rotatedAt: z.iso.datetime(),
});
export type PlatformToken = z.infer<typeof platformToken>;

export const platformTokenRevealed = platformToken.extend({ last4: z.string(), token: z.string() });
export type PlatformTokenRevealed = z.infer<typeof platformTokenRevealed>;

export const projectUpdate = z
  .strictObject({
    name: projectName,
    postalAddress: z
      .string()
      .trim()
      .max(500, "is longer than 500 characters")
      .regex(/^(\P{Cc}|\n)*$/u, "contains control characters")
      .refine((text) => text.split("\n").length <= 8, "has more than 8 lines")
      .meta({ description: "Shown at the end of campaign mail, with its line breaks." }),
    mailReason: z
      .string()
      .trim()
      .max(300, "is longer than 300 characters")
      .regex(/^\P{Cc}*$/u, "contains control characters")
      .meta({
        description:
          "Why people get its campaigns, shown at the end of each. If empty: how each of them joined the list or, without a list, subscribed, in their language.",
        example: "You are receiving this because you have an account with Example Ltd.",
      }),
    language: z.string().max(35).meta({
      description:
        "The language of its recipients' pages and mails when their own is not known: a code from `languages`.",
      example: "de",
    }),
    brandColor: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, "is not a colour like #c4351a")
      .nullable()
      .meta({
        description: "The colour of the buttons on its recipients' pages.",
        example: "#c4351a",
      }),
    brand: brand.nullable().meta({
      description:
        "What its emails begin with in the visual editor: a look, further colours and a logo, which its recipients' pages show, too, if it is one of its uploaded files. Replaced as a whole; null: none.",
    }),
    retention: retentionUpdate,
    requiresTwoStep: z.boolean().meta({
      description:
        "Whether members need two-step sign-in to get in. Only an owner who uses it may change this; API keys are not affected.",
    }),
  })
  .partial()
  .extend({ basedOn })
  .meta({ id: "ProjectUpdate", description: "Only the fields that are present change." });
export type ProjectUpdate = z.infer<typeof projectUpdate>;

export const projectSettings = z
  .object({
    id: z.string(),
    name: z.string(),
    postalAddress: z.string(),
    mailReason: z.string(),
    language: z.string(),
    brandColor: z.string().nullable(),
    brand: brand.nullable(),
    retention,
    requiresTwoStep: z.boolean(),
    languages: z
      .array(z.object({ code: z.string(), name: z.string() }))
      .meta({ description: "The available languages, by their own names." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Project" });
export type ProjectSettings = z.infer<typeof projectSettings>;

export const projectCreate = z.strictObject({ name: projectName });
export type ProjectCreate = z.infer<typeof projectCreate>;

/** A project as the switcher lists it. */
export const projectCreated = z.object({ id: z.string(), name: z.string() });

/** The project's name, typed again, and proof that the request comes from the owner. */
export const projectDelete = z
  .strictObject({
    name: z.string().max(1000).meta({ description: "The project's name." }),
    password: z.string().min(1, "is required").max(1000).optional(),
    code: typedCode.optional().meta({ description: "A code of the app, or a recovery code." }),
  })
  .refine(({ password, code }) => password === undefined || code === undefined, {
    message: "cannot be combined with the other: give either a password or a code",
    path: ["code"],
  });
export type ProjectDelete = z.infer<typeof projectDelete>;

export const projectUsage = z
  .object({
    limit: z.int().nullable().meta({
      description: "Emails in a calendar month (UTC), set by the operator; null: no limit.",
    }),
    months: z
      .array(z.object({ month: z.string().meta({ example: "2026-11" }), emails: z.int() }))
      .meta({ description: "Emails accepted, the current month first." }),
  })
  .meta({ id: "ProjectUsage" });
export type ProjectUsage = z.infer<typeof projectUsage>;
