import { z } from "zod";
import { abTest } from "@/lib/domain/ab-tests/schema";
import { basedOn } from "@/lib/ground/updates/schema";
import { designOutput } from "@/lib/mail/design/field";

/* What a campaign said before, for the dashboard: who wrote it when, and how it is put back. */

/** Of a campaign, beside the present one; the oldest go. */
export const mostVersions = 50;

const entry = z.object({
  /** Counted from 1. */
  version: z.int(),
  /** What the campaign says now, or said when it was sent. */
  isCurrent: z.boolean(),
  subject: z.string(),
  savedAt: z.iso.datetime(),
  /** null: not known. */
  author: z
    .object({
      type: z.enum(["user", "apiKey"]),
      /** null: deleted since. */
      name: z.string().nullable(),
    })
    .nullable(),
});
export type CampaignVersionEntry = z.infer<typeof entry>;

export const campaignVersionList = z
  .object({ data: z.array(entry) })
  .meta({ id: "CampaignVersions" });

export const campaignVersion = z
  .object({
    version: z.int(),
    savedAt: z.iso.datetime(),
    subject: z.string(),
    previewText: z.string(),
    from: z.string(),
    fromName: z.string(),
    replyTo: z.string().nullable(),
    body: z.string().nullable(),
    design: designOutput,
    text: z.string().nullable(),
    templateId: z.string().nullable(),
    abTest: abTest.nullable(),
  })
  .meta({ id: "CampaignVersion" });
export type CampaignVersion = z.infer<typeof campaignVersion>;

export const campaignRestore = z.strictObject({ basedOn });
