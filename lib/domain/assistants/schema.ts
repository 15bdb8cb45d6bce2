import { z } from "zod";
import { assistantScopes } from "@/db/enums";

export const assistant = z
  .object({
    id: z.string().meta({ example: "ast_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string().meta({ description: "As the assistant calls itself." }),
    host: z.string().meta({ description: "Where its codes were sent: who it really is." }),
    scope: z.enum(assistantScopes),
    person: z.string().meta({ description: "Address of the person it acts for." }),
    own: z.boolean().meta({ description: "Whether that is the one who asks." }),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: "To the minute." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Assistant" });

export type Assistant = z.infer<typeof assistant>;
