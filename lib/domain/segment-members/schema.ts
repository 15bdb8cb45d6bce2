import { z } from "zod";
import { excluded } from "@/lib/domain/contact-states/schema";
import { contact } from "@/lib/domain/contacts/schema";

export const segmentPreview = z
  .object({
    count: z.int(),
    reachableCount: z.int().meta({ description: "How many of them can be reached by campaigns." }),
    excluded,
    sample: z.array(contact).meta({ description: "The newest ten." }),
  })
  .meta({ id: "SegmentPreview" });
export type SegmentPreview = z.infer<typeof segmentPreview>;
