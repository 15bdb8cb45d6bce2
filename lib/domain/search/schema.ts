import { z } from "zod";

export const searchHitKinds = [
  "contact",
  "email",
  "campaign",
  "template",
  "list",
  "segment",
  "form",
  "topic",
  "file",
  "domain",
  "connection",
  "webhook",
  "inboundRoute",
  "apiKey",
] as const;

export const searchQuery = z.strictObject({
  text: z.string().trim().min(2, "is shorter than 2 characters").max(320).meta({
    description: "Part of an address or a name, a whole id, or the Message-ID of an email.",
  }),
});
export type SearchQuery = z.infer<typeof searchQuery>;

const searchHit = z.object({
  kind: z.enum(searchHitKinds),
  id: z.string(),
  title: z.string(),
  hint: z
    .string()
    .meta({ description: "What distinguishes it from others of the same name; may be empty." }),
});
export type SearchHit = z.infer<typeof searchHit>;

export const searchAnswer = z.object({ data: z.array(searchHit) }).meta({ id: "SearchAnswer" });
export type SearchAnswer = z.infer<typeof searchAnswer>;
