import { z } from "zod";
import { mailbox, testRecipients, variables } from "@/lib/domain/emails/schema";
import { templateInput } from "./schema";

/** A test of what is written, saved or not. */
export const templateTest = templateInput
  .pick({ subject: true, design: true })
  .extend({
    body: templateInput.shape.body.optional(),
    to: testRecipients,
    from: mailbox.meta({ description: "The sender; its domain must be verified." }),
    contactId: z
      .string()
      .max(320)
      .optional()
      .meta({ description: "Whose data fills the placeholders, whoever gets it." }),
    data: variables.optional().meta({
      description: "What fills the placeholders where no contact is named.",
    }),
  })
  .meta({ id: "TemplateTest" });
export type TemplateTest = z.infer<typeof templateTest>;

export const templateTestSent = z
  .object({ emails: z.array(z.object({ id: z.string(), to: z.string() })) })
  .meta({ id: "TemplateTestSent" });
export type TemplateTestSent = z.infer<typeof templateTestSent>;
