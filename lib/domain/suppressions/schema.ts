import { z } from "zod";
import { suppressionReasons } from "@/db/enums";
import { pageQuery } from "@/lib/ground/paging/schema";
import { emailAddress } from "@/lib/mail/address";

export const suppression = z
  .object({
    email: z.string().meta({ example: "ada@example.com" }),
    reason: z.enum(suppressionReasons).meta({
      description:
        "`hard_bounce`: a mail server said that the address is no good. `complaint`: its reader reported spam. `manual`: somebody of the project added it.",
    }),
    emailId: z.string().nullable().meta({
      description: "The email that bounced or was complained about, where one is known.",
    }),
    response: z.string().nullable().meta({
      description: "What the mail server said, where it is known.",
      example: "550 5.1.1 User unknown",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Suppression" });

export const suppressionCreate = z
  .strictObject({ email: emailAddress.meta({ example: "ada@example.com" }) })
  .meta({ id: "SuppressionCreate" });

/** Which suppressions: the list's and the export's filters. */
export const suppressionFilter = z.strictObject({
  search: z.string().trim().max(320).optional().meta({ description: "Part of the address." }),
  reason: z.enum(suppressionReasons).optional(),
});

export const suppressionQuery = pageQuery.extend(suppressionFilter.shape);

export const suppressionImportQuery = z.strictObject({
  reason: z.enum(suppressionReasons).default("manual").meta({
    description: "The reason for rows whose own column `reason` does not name one of these.",
  }),
});

export const suppressionImport = z
  .object({
    added: z.int().meta({ description: "Addresses that are suppressed now and were not before." }),
    known: z.int().meta({
      description:
        "Rows whose address was suppressed already, or stands further up. Nothing changed.",
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
