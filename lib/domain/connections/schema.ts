import { z } from "zod";
import { connectionKinds } from "@/db/enums";
import { basedOn } from "@/lib/ground/updates/schema";

const isPlain = (text: string) => /^\P{Cc}*$/u.test(text);
const name = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .refine(isPlain, "contains control characters")
  .meta({ example: "Our mail server" });
const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, "is empty")
  .max(253, "is longer than 253 characters")
  .regex(/^([a-z0-9_-]+\.)*[a-z0-9-]+\.?$|^[0-9a-f:]+$/, "is neither a host name nor an address")
  .meta({ example: "smtp.example.com" });
const port = z.int("is not a port").min(1, "is not a port").max(65_535, "is not a port").meta({
  description:
    "25, 465, 587, 2465, 2525 or 2587; any other only where the installation allows private addresses.",
  example: 587,
});
export const tlsModes = ["implicit", "required", "opportunistic", "off"] as const;
const tls = z.enum(tlsModes).meta({
  description:
    "implicit: TLS from the first byte. required: STARTTLS with a valid certificate, or no mail. opportunistic: STARTTLS where offered. off: never. With a user name it is `implicit` or `required`.",
});
const user = z
  .string()
  .trim()
  .max(320, "is longer than 320 characters")
  .refine(isPlain, "contains control characters")
  .nullable()
  .meta({ description: "null: no login." });
const password = z
  .string()
  .max(1000, "is longer than 1000 characters")
  .refine(isPlain, "contains control characters")
  .meta({ description: "Kept sealed; it is never shown again." });
const sessions = z
  .int("is not a whole number from 1 to 50")
  .min(1, "is not a whole number from 1 to 50")
  .max(50, "is not a whole number from 1 to 50")
  .meta({ description: "Sessions that each worker may have open at once." });
const standard = z.boolean().meta({
  description: "Whether it takes the mail of all domains that name no other connection.",
});
const fallbackId = z.string().nullable().meta({
  description:
    "Id of the connection that takes its mail while it cannot be reached, refuses the login, or asks for less.",
});

export const connectionInput = z
  .strictObject({
    name,
    kind: z.enum(connectionKinds),
    host,
    port: port.optional().meta({ description: "Default 587." }),
    tls: tls.optional().meta({
      description:
        "Default: implicit for port 465; else required with a user name, and opportunistic without.",
    }),
    user: user.optional(),
    password: password.optional(),
    sessions: sessions.optional().meta({ description: "Default 5." }),
    standard: standard.optional(),
    fallbackId: fallbackId.optional(),
  })
  .meta({ id: "ConnectionInput" });
export type ConnectionInput = z.infer<typeof connectionInput>;

export const connectionUpdate = z
  .strictObject({
    name: name.optional(),
    host: host.optional(),
    port: port.optional(),
    tls: tls.optional(),
    user: user.optional(),
    password: password.optional().meta({
      description: "To be given again whenever host, port or TLS changes: it goes to no new place.",
    }),
    sessions: sessions.optional(),
    standard: standard.optional(),
    fallbackId: fallbackId.optional(),
    basedOn,
  })
  .meta({ id: "ConnectionUpdate", description: "Only the given fields change." });
export type ConnectionUpdate = z.infer<typeof connectionUpdate>;

export const connection = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(connectionKinds),
    host: z.string(),
    port: z.int(),
    tls: z.enum(tlsModes),
    user: z.string().nullable(),
    sessions: z.int(),
    standard: z.boolean(),
    fallbackId: z.string().nullable(),
    domains: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .meta({ description: "Sending domains that name it." }),
    state: z
      .object({
        name: z.enum(["working", "throttled", "unreachable", "refused"]),
        since: z.iso.datetime().nullable(),
        words: z.string().nullable().meta({ description: "What the server says." }),
        perMinute: z
          .int()
          .nullable()
          .meta({ description: "Emails it is given while it asks for less." }),
      })
      .meta({
        description:
          "working: nothing is known to the contrary. throttled: it asked for less. unreachable: no session can be had. refused: it does not accept the login. Under the last two its mail waits, or leaves through the fallback.",
      }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Connection" });
export type Connection = z.infer<typeof connection>;

export const connectionList = z
  .object({ data: z.array(connection) })
  .meta({ id: "ConnectionList" });
export type ConnectionList = z.infer<typeof connectionList>;

export const connectionTest = z
  .object({
    ok: z.boolean().meta({ description: "Whether it would take mail now, as far as logging in." }),
    words: z.string().meta({ description: "The server's own words, or why it said none." }),
  })
  .meta({ id: "ConnectionTest" });
export type ConnectionTest = z.infer<typeof connectionTest>;
