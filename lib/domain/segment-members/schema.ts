import { z } from "zod";
import { contact } from "@/lib/domain/contacts/schema";

export const segmentPreview = z
  .object({
    count: z.int(),
    sample: z.array(contact).meta({ description: "The newest ten." }),
  })
  .meta({ id: "SegmentPreview" });
export type SegmentPreview = z.infer<typeof segmentPreview>;
