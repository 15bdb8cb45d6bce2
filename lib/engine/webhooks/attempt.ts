import { encodeId } from "@/lib/ground/ids/ids";
import {
  guardedFetch,
  GuardedFetchError,
  type KeptConnections,
} from "@/lib/ground/net/guarded-fetch";
import { unsealOrNull } from "@/lib/ground/secrets";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import type { ClaimedDelivery } from "./claim";
import { readRetryAfter, secondsUntilRetry } from "./schedule";
import { signatureHeaders } from "./sign";

const timeoutMilliseconds = 15_000;
/** How much of an answer's body is kept, and how much is read to leave the connection usable for the next call. */
const keptBytes = 4_096;
const largestBytes = 65_536;

/** The result of one try. */
export interface DeliveryOutcome {
  delivery: ClaimedDelivery;
  ok: boolean;
  /** 410: the endpoint is gone for good. */
  gone: boolean;
  /** null when there is no further try. */
  retryAfterSeconds: number | null;
  status: number | null;
  body: string | null;
  error: string | null;
  milliseconds: number;
}

/** The request as it goes out, which the log shows unchanged. */
function requestBody(delivery: Pick<ClaimedDelivery, "payload">): string {
  return JSON.stringify(delivery.payload);
}

/** The start of a body as text that Postgres can store; a body that breaks off or is too long is cut. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      if (size < keptBytes) chunks.push(chunk.subarray(0, keptBytes - size));
      size += chunk.byteLength;
    }
  } catch {
    // The status has been given: what follows it changes nothing.
  }
  return Buffer.concat(chunks).toString("utf8").replaceAll("\0", "");
}

/** Calls the endpoint once. Never throws: the outcome says what went wrong. */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  connections: KeptConnections | null,
): Promise<DeliveryOutcome> {
  const body = requestBody(delivery);
  const started = performance.now();
  const outcome = (result: Partial<DeliveryOutcome>, askedSeconds: number | null = null) => ({
    delivery,
    ok: false,
    gone: false,
    retryAfterSeconds: secondsUntilRetry(delivery.attempts + 1, askedSeconds),
    status: null,
    body: null,
    error: null,
    milliseconds: Math.round(performance.now() - started),
    ...result,
  });
  const secret = unsealOrNull(delivery.secretSealed);
  if (secret === null) {
    return outcome({
      error: inEnglish("The signing secret cannot be read. Replace it to get calls again."),
    });
  }
  try {
    const response = await guardedFetch(delivery.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Lettermill-Webhooks/1.0",
        ...signatureHeaders({
          id: encodeId("event", delivery.eventId),
          // The receiver compares it with its own clock.
          timestamp: Math.floor(Date.now() / 1000),
          body,
          secret,
        }),
      },
      body,
      timeoutMilliseconds,
      largestBytes,
      secure: true,
      ...(connections ? { connections } : {}),
    });
    const { status, headers } = response;
    const start = await readStart(response.body);
    const text = delivery.aboutErased ? null : start;
    const ok = status >= 200 && status < 300;
    if (ok) return outcome({ ok, status, body: text, retryAfterSeconds: null });
    if (status === 410) return outcome({ gone: true, status, body: text, retryAfterSeconds: null });
    return outcome({ status, body: text }, readRetryAfter(headers["retry-after"], Date.now()));
  } catch (error) {
    const refusedByUs = error instanceof GuardedFetchError;
    return outcome({
      error: refusedByUs ? error.message : inEnglish("The call could not be made."),
    });
  }
}
