import { z } from "zod";

export const foundKinds = [
  "contact",
  "email",
  "campaign",
  "template",
  "segment",
  "domain",
] as const;

export const findQuery = z.strictObject({
  text: z
    .string()
    .trim()
    .min(2, "is shorter than 2 characters")
    .max(320)
    .meta({ description: "A part of an address or a name, or a whole id." }),
});
export type FindQuery = z.infer<typeof findQuery>;

const found = z.object({
  kind: z.enum(foundKinds),
  id: z.string(),
  title: z.string(),
  hint: z.string().meta({ description: "What tells it from others of its name; may be empty." }),
});
export type Found = z.infer<typeof found>;

export const findAnswer = z.object({ data: z.array(found) }).meta({ id: "FindAnswer" });
export type FindAnswer = z.infer<typeof findAnswer>;
