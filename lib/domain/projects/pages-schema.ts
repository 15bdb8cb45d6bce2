import { z } from "zod";
import { topicInput } from "@/lib/domain/topics/schema";
import { projectUpdate } from "./schema";

/** More than a project can have. */
const mostTopics = 60;

/**
 * What recipients are shown: the preference page as the foot of a mail leads to it and as "Unsubscribe" does, a list's
 * confirmation, a sign-up form and what follows it, and the mail that asks to confirm.
 */
export const recipientViews = [
  "preferences",
  "unsubscribe",
  "confirmation",
  "form",
  "sent",
  "mail",
] as const;
export type RecipientView = (typeof recipientViews)[number];

/** What is being written in the settings, where it differs from what is stored. */
export const recipientDraft = z
  .strictObject({
    /** New ones, and with an id those that are being changed. */
    topics: z
      .array(topicInput.extend({ id: z.string().max(100).optional() }))
      .max(mostTopics, `has more than ${mostTopics}`)
      .optional(),
  })
  .extend(
    projectUpdate.pick({
      name: true,
      postalAddress: true,
      language: true,
      brandColor: true,
      brand: true,
    }).shape,
  );
export type RecipientDraft = z.input<typeof recipientDraft>;

export const pagesPreview = recipientDraft.extend({
  view: z.enum(recipientViews),
  /** The recipient's system setting; absent: the page follows that of whoever looks at it. */
  theme: z.enum(["light", "dark"]).optional(),
});
export type PagesPreview = z.infer<typeof pagesPreview>;

export const pageMarkup = z.object({ html: z.string() });
