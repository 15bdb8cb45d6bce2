import { z } from "zod";

/** What a person calls a passkey of theirs. */
export const passkeyName = z
  .string()
  .trim()
  .min(1, "is required")
  .max(60, "is longer than 60 characters")
  .regex(/^\P{Cc}*$/u, "contains control characters");

export const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof passkey>;

export const passkeyList = z
  .object({
    available: z.boolean().meta({
      description: "Whether browsers make passkeys for APP_URL: they need a host name and https.",
    }),
    data: z.array(passkey),
  })
  .meta({ id: "Passkeys" });
export type PasskeyList = z.infer<typeof passkeyList>;

/** What the browser is given to make a passkey with: `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyOptions = z
  .object({ options: z.record(z.string(), z.unknown()) })
  .meta({ id: "PasskeyOptions" });

const bytes = z
  .string()
  .max(10_000, "is too long")
  .regex(/^[\w-]+$/, "is not base64url");
const credential = { id: bytes, rawId: bytes, type: z.literal("public-key") };

/** What the browser says of a passkey it has made. */
export const passkeyMade = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export type PasskeyMade = z.infer<typeof passkeyMade>;

/** What the browser says when a passkey has signed a challenge. */
export const passkeySigned = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes,
  }),
});
export type PasskeySigned = z.infer<typeof passkeySigned>;

export const passkeyCreate = z.strictObject({ name: passkeyName, response: passkeyMade });
export const passkeyUpdate = z.strictObject({ name: passkeyName });
