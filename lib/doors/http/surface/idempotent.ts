import { readIdempotencyKey, type Replayable } from "@/lib/domain/emails/idempotency";
import type { SendOptions } from "@/lib/domain/emails/send";
import type { OperationInput } from "./operation";

/** A request's Idempotency-Key as sends take it; throws VALIDATION_ERROR. */
export function idempotencyOf(
  route: string,
  input: OperationInput<unknown, unknown, unknown>,
): Pick<SendOptions, "once"> {
  const key = readIdempotencyKey(input.headers);
  return key === null ? {} : { once: { route, key, body: input.rawBody } };
}

/** The answer to a request that may be repeated. */
export function replayable<Result>({ result, replayed }: Replayable<Result>) {
  return {
    status: 200 as const,
    body: result,
    ...(replayed ? { headers: { "idempotent-replayed": "true" } } : {}),
  };
}
