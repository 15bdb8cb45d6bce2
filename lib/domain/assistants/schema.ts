import { z } from "zod";
import { assistantScopes } from "@/db/enums";

export const assistant = z
  .object({
    id: z.string().meta({ example: "ast_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string().meta({ description: "The name the assistant gives itself." }),
    host: z
      .string()
      .meta({ description: "Where its codes were sent, which shows who it really is." }),
    scope: z.enum(assistantScopes),
    person: z.string().meta({ description: "The address of the person it acts for." }),
    own: z.boolean().meta({ description: "Whether that person is the caller." }),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: "Accurate to the minute." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Assistant" });

export type Assistant = z.infer<typeof assistant>;
