import { z } from "zod";
import { AppError } from "@/lib/ground/errors";
import type { Answer } from "@/lib/doors/http/surface/policy";
import { httpStatuses } from "@/lib/doors/http/surface/errors";

/** As the bearer surface has them, but for what is wrong with the input. */
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
      .meta({ description: "What is wrong with the input, field by field (422)." }),
    subscriber_uid: z
      .string()
      .optional()
      .meta({ description: "Who has the address already (409 on joining a list)." }),
  })
  .meta({ id: "Failure" });

/** CONFLICT that names the subscriber in the way. */
export class SubscriberExists extends AppError {
  constructor(readonly subscriberUid: string) {
    super("CONFLICT", "The email address is on this list already.");
  }
}

function isSubscriberExists(error: AppError): error is SubscriberExists {
  return error.code === "CONFLICT" && "subscriberUid" in error;
}

/** `files[0].url` as clients of this kind of API look for it: `files.0.url`. */
function fieldName(path: string): string {
  return path.replace(/\[(\d+)\]/g, ".$1") || "body";
}

/** An error as this surface tells it: `{status: 0, message, errors?}`. */
export function errorAnswer(error: AppError): Answer {
  const status = platformStatuses[error.code];
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
