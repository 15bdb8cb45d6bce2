import { z } from "zod";
import { pageQuery } from "@/lib/ground/paging/schema";
import { messageView, personView } from "@/lib/mail/message/view-schema";

export const capturedQuery = pageQuery.extend({
  search: z
    .string()
    .min(1)
    .max(254)
    .optional()
    .meta({ description: "Part of the recipient's address or of the subject." }),
});

export const capturedSummary = z
  .object({
    id: z.string().meta({ example: "cap_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    emailId: z.string().nullable().meta({ description: "null for the platform's own mail." }),
    from: personView,
    to: z.string().meta({ description: "Envelope recipient." }),
    subject: z.string(),
    size: z.int().meta({ description: "Bytes of the whole message." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "CapturedSummary" });

export const capturedEmail = capturedSummary
  .extend({
    ...messageView.shape,
    envelopeFrom: z.string().meta({ description: "Return path." }),
  })
  .meta({ id: "CapturedEmail" });

export type CapturedQuery = z.infer<typeof capturedQuery>;
export type CapturedSummary = z.infer<typeof capturedSummary>;
export type CapturedEmail = z.infer<typeof capturedEmail>;
