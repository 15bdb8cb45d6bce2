import { z } from "zod";
import { AppError } from "@/lib/ground/errors";
import type { Answer } from "@/lib/doors/http/surface/policy";
import { httpStatuses } from "@/lib/doors/http/surface/errors";
import { isIncompleteBody } from "@/lib/doors/http/surface/incomplete";

/** The same as on the bearer surface, except for faults of the input. */
export const platformStatuses = {
  ...httpStatuses,
  VALIDATION_ERROR: 422,
  TOO_MANY_EMAILS: 422,
} as const;

export const errorSchema = z
  .object({
    status: z.literal(0),
    message: z.string(),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: "What is wrong with the input, by field (422)." }),
    subscriber_uid: z.string().optional().meta({
      description: "The subscriber who already has the address (409 when joining a list).",
    }),
  })
  .meta({ id: "Failure" });

/** A CONFLICT that names the existing subscriber. */
export class SubscriberExists extends AppError {
  constructor(readonly subscriberUid: string) {
    super("CONFLICT", "The email address is already on this list.");
  }
}

function isSubscriberExists(error: AppError): error is SubscriberExists {
  return error.code === "CONFLICT" && "subscriberUid" in error;
}

/** `files[0].url` in the form that clients of this kind of API expect: `files.0.url`. */
function fieldName(path: string): string {
  return path.replace(/\[(\d+)\]/g, ".$1") || "body";
}

/** An error in this surface's envelope: `{status: 0, message, errors?}`. */
export function errorAnswer(error: AppError): Answer {
  // No field of the input is at fault when the message itself is broken.
  const status = isIncompleteBody(error) ? 400 : platformStatuses[error.code];
  if (status === 401) return { status, body: { status: 0, message: "Unauthenticated." } };
  const errors = new Map<string, string[]>();
  if (status === 422) {
    for (const { path, message } of error.details ?? [{ path: "", message: error.message }]) {
      const name = fieldName(path);
      errors.set(name, [...(errors.get(name) ?? []), message]);
    }
  }
  return {
    status,
    body: {
      status: 0,
      message: error.message,
      ...(status === 422 ? { errors: Object.fromEntries(errors) } : {}),
      ...(isSubscriberExists(error) ? { subscriber_uid: error.subscriberUid } : {}),
    },
  };
}
