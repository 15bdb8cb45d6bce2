import { z } from "zod";
import { keyModes, keyScopes } from "@/db/enums";
import { pageQuery } from "@/lib/ground/paging/schema";

export const apiKeyCreate = z
  .strictObject({
    name: z.string().trim().min(1, "is required").max(100).meta({ example: "Web shop" }),
    scope: z.enum(keyScopes).optional().meta({
      description: "`full`: everything. `sending`: only send and batch. Default: `full`.",
    }),
    mode: z.enum(keyModes).optional().meta({
      description:
        "Mail sent with a `test` key goes through every step but ends up in the captured mailbox. Default: `live`; a test key makes test keys only.",
    }),
  })
  .meta({ id: "ApiKeyCreate" });

export const apiKey = z
  .object({
    id: z.string().meta({ example: "key_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string(),
    scope: z.enum(keyScopes),
    mode: z.enum(keyModes),
    prefix: z.string().meta({ description: "How the key begins.", example: "sk_live_" }),
    last4: z.string().meta({ description: "How the key ends." }),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: "Accurate to the minute." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ApiKey" });

export const apiKeyCreated = apiKey
  .extend({
    key: z.string().meta({ description: "The secret. Shown once, here." }),
  })
  .meta({ id: "ApiKeyCreated" });

export const apiKeyQuery = pageQuery.extend({
  search: z.string().trim().max(100).optional().meta({ description: "Part of the name." }),
});

export type ApiKeyQuery = z.infer<typeof apiKeyQuery>;
export type ApiKeyCreate = z.infer<typeof apiKeyCreate>;
export type ApiKey = z.infer<typeof apiKey>;
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>;
