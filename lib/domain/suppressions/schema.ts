import { z } from "zod";
import {
  addressSuppressionReasons,
  consentOrigins,
  suppressionReasons,
  suppressionSources,
} from "@/db/enums";
import { pageQuery } from "@/lib/ground/paging/schema";
import { normalizeAddress, notAnAddress } from "@/lib/mail/address";

/**
 * The subject of a suppression as it is stored: an address or, after an @, a whole domain; null when it is neither.
 */
export function normalizeSubject(text: string): string | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith("@")) return normalizeAddress(trimmed);
  // Anything that could be the domain of an address.
  return normalizeAddress(`x${trimmed}`)?.slice(1) ?? null;
}

/** The suppressed domain (`example.com`); null when the suppression is of one address. */
export const domainOfSubject = (subject: string): string | null =>
  subject.startsWith("@") ? subject.slice(1) : null;

export const suppression = z
  .object({
    email: z.string().meta({
      description:
        "The address, or a whole domain after an @: `@example.com`, which does not include its subdomains.",
      example: "ada@example.com",
    }),
    reason: z.enum(suppressionReasons).meta({
      description:
        "`hard_bounce`: a mail server said that the address is no good, or five emails in a row bounced. `complaint`: its reader reported spam. `manual`: somebody in the project added it. `domain`: the same for a whole domain.",
    }),
    source: z
      .object({
        type: z.enum(suppressionSources).meta({
          description:
            "`bounce`, `complaint`: of the email in `emailId`. `added`: by hand or over the API. `import`: from a file. `merge`: from a contact that was merged into this one. `restored`: it was suppressed when its contact was deleted for good, and came back.",
        }),
        by: z
          .object({
            type: z.enum(consentOrigins),
            id: z.string().nullable(),
            name: z.string().nullable().meta({
              description: "The person's address, or the key's name; null: gone.",
            }),
          })
          .nullable()
          .meta({ description: "Who added or imported it; null: nobody." }),
      })
      .nullable()
      .meta({ description: "Where it comes from; null: not recorded." }),
    emailId: z.string().nullable().meta({
      description: "The email that bounced or was complained about, if known.",
    }),
    response: z.string().nullable().meta({
      description:
        "What the mail server said, or whoever reported it, if known. Kept as long as the suppression.",
      example: "550 5.1.1 User unknown",
    }),
    createdAt: z.iso.datetime().meta({
      description: "Since when; of an imported one, what its file says.",
    }),
  })
  .meta({ id: "Suppression" });

export const suppressionCreate = z
  .strictObject({
    email: z
      .string()
      .max(320)
      .refine((text) => normalizeSubject(text) !== null, notAnAddress)
      .meta({
        description: "An address, or a whole domain after an @: `@example.com`.",
        example: "ada@example.com",
      }),
  })
  .meta({ id: "SuppressionCreate" });

/** Which suppressions: the list's and the export's filters. */
export const suppressionFilter = z.strictObject({
  search: z.string().trim().max(320).optional().meta({
    description: "Part of the address. A whole address also finds the suppression of its domain.",
  }),
  reason: z.enum(suppressionReasons).optional(),
});

export const suppressionQuery = pageQuery.extend(suppressionFilter.shape);

export const suppressionImportQuery = z.strictObject({
  reason: z.enum(addressSuppressionReasons).default("manual").meta({
    description:
      "The reason for addresses whose own column `reason` does not name one of these. Domains (`@example.com`) get `domain`.",
  }),
});

export const suppressionImport = z
  .object({
    added: z.int().meta({ description: "Addresses that are newly suppressed." }),
    known: z.int().meta({
      description:
        "Rows whose address was already suppressed, or appears further up. Nothing changed.",
    }),
    refused: z.int().meta({ description: "Rows that hold no address." }),
    refusedRows: z
      .array(z.object({ line: z.int(), email: z.string(), reason: z.string() }))
      .meta({ description: "The first 100 of them." }),
  })
  .meta({ id: "SuppressionImport" });

export type Suppression = z.infer<typeof suppression>;
export type SuppressionCreate = z.infer<typeof suppressionCreate>;
export type SuppressionFilter = z.infer<typeof suppressionFilter>;
export type SuppressionImport = z.infer<typeof suppressionImport>;
export type SuppressionQuery = z.infer<typeof suppressionQuery>;
