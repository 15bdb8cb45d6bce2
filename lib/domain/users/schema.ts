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
    lastSeenAt: z.iso.datetime().meta({ description: "To five minutes." }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

/** Length is what counts (NIST SP 800-63B); the upper limit bounds the cost of hashing. */
export const newPassword = z
  .string()
  .min(10, "is shorter than 10 characters")
  .max(200, "is longer than 200 characters");
