type Fetch = (request: Request) => Promise<Response>;

const firstWaitMilliseconds = 500;
const longestWaitMilliseconds = 30_000;

/** The operations that take an `Idempotency-Key`. */
const sends = /\/v1\/(send|emails\/batch|campaigns\/[^/]+\/send|inbound\/[^/]+\/reply)$/;

/**
 * Tries a request again where that changes nothing twice: reads, and what carries an `Idempotency-Key`.
 * Requests that send get one.
 */
export function withRetries(fetch: Fetch, retries: number): Fetch {
  return async (original) => {
    const keyed = withIdempotencyKey(original);
    const repeatable = keyed.method === "GET" || keyed.headers.has("Idempotency-Key");
    for (let attempt = 0; ; attempt++) {
      const last = !repeatable || attempt >= retries;
      try {
        const response = await fetch(last ? keyed : keyed.clone());
        if (last || (response.status !== 429 && response.status !== 503)) return response;
        await response.body?.cancel();
        await wait(attempt, response.headers.get("Retry-After"), keyed.signal);
      } catch (error) {
        if (last || keyed.signal.aborted) throw error;
        await wait(attempt, null, keyed.signal);
      }
    }
  };
}

function withIdempotencyKey(request: Request): Request {
  const { pathname } = new URL(request.url);
  if (request.method !== "POST" || !sends.test(pathname)) return request;
  if (request.headers.has("Idempotency-Key")) return request;
  const headers = new Headers(request.headers);
  headers.set("Idempotency-Key", crypto.randomUUID());
  return new Request(request, { headers });
}

/** As long as the server asks for, else ever longer; not at all once the caller has given up. */
async function wait(attempt: number, asked: string | null, signal: AbortSignal): Promise<void> {
  const seconds = Number(asked ?? NaN);
  const milliseconds = Math.min(
    longestWaitMilliseconds,
    seconds >= 0 ? seconds * 1000 : firstWaitMilliseconds * 2 ** attempt,
  );
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}
