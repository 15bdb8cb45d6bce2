import { z } from "zod";

export const personView = z.object({ email: z.string(), name: z.string() });

/** A message as a mail client shows it. */
export const messageView = z
  .object({
    from: personView,
    replyTo: z.array(personView),
    subject: z.string(),
    html: z.string().nullable().meta({
      description: "Images that come with the message are embedded as data: URLs.",
    }),
    text: z.string().nullable(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    attachments: z.array(
      z.object({
        filename: z.string(),
        contentType: z.string(),
        contentId: z.string().nullable(),
        inline: z.boolean(),
        size: z.int().meta({ description: "Bytes." }),
      }),
    ),
    size: z.int().meta({ description: "Bytes of the whole message." }),
    raw: z.string().meta({ description: "The message as text, its first 256 KB." }),
  })
  .meta({ id: "MessageView" });
export type MessageView = z.infer<typeof messageView>;
