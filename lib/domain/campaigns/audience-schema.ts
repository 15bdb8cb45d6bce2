import { z } from "zod";
import { audienceExcluded } from "@/lib/domain/contact-states/schema";

const id = z.string().max(100);

export const audienceInput = z
  .strictObject({
    segmentId: id.nullable().optional(),
    listId: id.nullable().optional(),
    topicId: id.nullable().optional(),
  })
  .meta({ id: "AudienceRequest" });
export type AudienceInput = z.infer<typeof audienceInput>;

export const audience = z
  .object({
    count: z.int().meta({ description: "How many people would get it now." }),
    total: z.int().meta({ description: "How many people are selected, reachable or not." }),
    excluded: audienceExcluded,
  })
  .meta({ id: "Audience" });
export type Audience = z.infer<typeof audience>;
