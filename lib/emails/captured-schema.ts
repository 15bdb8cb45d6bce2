import { z } from "zod";
import { pageQuery } from "@/lib/paging/schema";

const person = z.object({ email: z.string(), name: z.string() });

export const capturedQuery = pageQuery.extend({
  search: z
    .string()
    .min(1)
    .max(254)
    .optional()
    .meta({ description: "A part of the recipient's address or of the subject." }),
});

export const capturedSummary = z
  .object({
    id: z.string().meta({ example: "cap_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    emailId: z.string().nullable().meta({ description: "null for the platform's own mail." }),
    from: person,
    to: z.string().meta({ description: "Envelope recipient." }),
    subject: z.string(),
    size: z.int().meta({ description: "Bytes of the whole message." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "CapturedSummary" });

export const capturedEmail = capturedSummary
  .extend({
    envelopeFrom: z.string().meta({ description: "Return path." }),
    replyTo: z.array(person),
    html: z.string().nullable(),
    text: z.string().nullable(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    attachments: z.array(
      z.object({
        filename: z.string(),
        contentType: z.string(),
        contentId: z.string().nullable(),
        inline: z.boolean(),
        size: z.int(),
      }),
    ),
    raw: z.string().meta({ description: "The message as text, its first 256 KB." }),
  })
  .meta({ id: "CapturedEmail" });

export type CapturedQuery = z.infer<typeof capturedQuery>;
export type CapturedSummary = z.infer<typeof capturedSummary>;
export type CapturedEmail = z.infer<typeof capturedEmail>;
