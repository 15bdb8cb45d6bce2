import { z } from "zod";
import { basedOn, basedOnOrNothing } from "@/lib/ground/updates/schema";
import { bodyText } from "@/lib/mail/body-schema";
import { designInput, designOutput } from "@/lib/mail/design/field";

/** Characters of a name or subject that need not be valid yet. */
const longestLine = 2_000;
const line = z.string().max(longestLine, `is longer than ${longestLine} characters`);

/** Fields as they are being written: an empty subject is one, too. */
const changes = z
  .strictObject({
    name: line.optional(),
    subject: line.optional(),
    body: bodyText.optional(),
    design: designInput,
  })
  .refine((fields) => Object.values(fields).some((value) => value !== undefined), "is empty");

export const templateDraftInput = z.strictObject({
  changes,
  fromVersion: z.int().min(1).max(2_147_483_647),
  basedOn: basedOnOrNothing,
});
export type TemplateDraftInput = z.infer<typeof templateDraftInput>;

export const templateDraftQuery = z.strictObject({ basedOn });

const keptFields = z.object({
  name: z.string().optional(),
  subject: z.string().optional(),
  body: z.string().optional(),
  design: designOutput.optional(),
});

const keptDraft = z.object({
  /** The changed fields as they are in the version that was changed. */
  base: keptFields,
  changes: keptFields,
  updatedAt: z.iso.datetime(),
});
export type KeptTemplateDraft = z.infer<typeof keptDraft>;

export const templateDraftAnswer = z
  .object({ draft: keptDraft.nullable() })
  .meta({ id: "TemplateDraft" });
