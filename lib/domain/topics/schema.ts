import { z } from "zod";
import { basedOn } from "@/lib/ground/updates/schema";

const isPlain = (text: string) => !/\p{Cc}/u.test(text);

const name = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .refine(isPlain, "contains control characters")
  .meta({ description: "Recipients see it.", example: "Product news" });
const description = z
  .string()
  .trim()
  .max(300, "is longer than 300 characters")
  .refine(isPlain, "contains control characters")
  .meta({
    description: "A sentence that helps recipients choose.",
    example: "New features, monthly",
  });

export const topicInput = z
  .strictObject({ name, description: description.optional() })
  .meta({ id: "TopicInput" });
export type TopicInput = z.infer<typeof topicInput>;

export const topicUpdate = z
  .strictObject({ name, description })
  .partial()
  .extend({ basedOn })
  .meta({ id: "TopicUpdate", description: "Only the fields that are present change." });
export type TopicUpdate = z.infer<typeof topicUpdate>;

export const topic = z
  .object({
    id: z.string().meta({ example: "top_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string(),
    description: z.string(),
    departures: z.int().meta({ description: "People who left it and have not come back." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Topic" });
export type Topic = z.infer<typeof topic>;

export const topicList = z.object({ data: z.array(topic) }).meta({ id: "TopicList" });
export type TopicList = z.infer<typeof topicList>;
