import { z } from "zod";

/** The address a person signs in with, compared case-insensitively. */
export const userEmail = z
  .string()
  .trim()
  .max(254, "is longer than 254 characters")
  .pipe(z.email("is not an email address"));

export const userName = z
  .string()
  .trim()
  .max(100, "is longer than 100 characters")
  .regex(/^\P{Cc}*$/u, "contains control characters");

/** A place where a person is signed in. */
export const session = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: "The session making the request." }),
    address: z.string().meta({ description: "Where it was signed in from." }),
    userAgent: z.string(),
    onlyProjectId: z.string().nullable().meta({
      description: "The one project it opens, if it was started by a platform token's link.",
    }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().meta({ description: "Accurate to five minutes." }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

/** Length is what counts (NIST SP 800-63B); the upper limit bounds the cost of hashing. */
export const newPassword = z
  .string()
  .min(10, "is shorter than 10 characters")
  .max(200, "is longer than 200 characters");

/** Whether signing in asks for a code of the authenticator app. */
export const secondFactor = z
  .object({
    enabled: z.boolean(),
    since: z.iso.datetime().nullable(),
    recoveryCodesLeft: z.int(),
    hasPassword: z.boolean(),
  })
  .meta({ id: "SecondFactor" });
export type SecondFactor = z.infer<typeof secondFactor>;

export const secondFactorSetup = z
  .object({
    secret: z.string().meta({ description: "In base32, to type in." }),
    uri: z.string().meta({ description: "The content of the QR code." }),
  })
  .meta({ id: "SecondFactorSetup" });
export type SecondFactorSetup = z.infer<typeof secondFactorSetup>;

export const recoveryCodeList = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: "Each can be used once. They are only shown now." }),
  })
  .meta({ id: "RecoveryCodes" });
export type RecoveryCodes = z.infer<typeof recoveryCodeList>;

export const typedCode = z.string().trim().min(1, "is required").max(100, "is not a code");

/** Proves who is asking: their password, or a code of the app or a recovery code. */
export const proof = z
  .strictObject({
    password: z.string().min(1, "is required").max(1000).optional(),
    code: typedCode.optional(),
  })
  .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
    message: "is required: either a password or a code",
    path: ["code"],
  });
export type Proof = z.infer<typeof proof>;

/** The same for people who may have neither: a new session is then proof enough. */
export const freshProof = z
  .strictObject({
    password: z.string().min(1, "is required").max(1000).optional(),
    code: typedCode.optional(),
  })
  .refine(({ password, code }) => password === undefined || code === undefined, {
    message: "cannot be combined with the other: give either a password or a code",
    path: ["code"],
  });
export type FreshProof = z.infer<typeof freshProof>;

/** A new password, and the current one; who has none gives a code of the app, if there is one. */
export const passwordChange = z
  .strictObject({
    password: z.string().min(1, "is required").max(1000).optional(),
    code: typedCode.optional(),
    newPassword,
  })
  .refine(({ password, code }) => password === undefined || code === undefined, {
    message: "cannot be combined with the other: give either a password or a code",
    path: ["code"],
  });
export type PasswordChange = z.infer<typeof passwordChange>;

export const passwordChanged = z
  .object({ endedSessions: z.int().meta({ description: "Those of this person elsewhere." }) })
  .meta({ id: "PasswordChanged" });
export type PasswordChanged = z.infer<typeof passwordChanged>;

/** What next-auth answers when the second factor is needed; pages compare it. */
export const codeIsNeeded = "SecondFactorRequired";
