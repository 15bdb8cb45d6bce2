import { LRUCache } from "lru-cache";
import { atMost } from "@/lib/ground/at-most";
import { guardedFetch, GuardedFetchError } from "@/lib/ground/net/guarded-fetch";

/** The answer of an address. */
export type Answer =
  | { kind: "fine"; bytes: number | null }
  /** The server itself says that nothing is there, or that it is failing. */
  | { kind: "broken"; status: number }
  | { kind: "unreachable"; reason: string }
  /** No answer came in time. */
  | { kind: "unknown" };

const oneMilliseconds = 5_000;
const allMilliseconds = 10_000;
const mostRedirects = 5;
const largestImageBytes = 5_000_000;
const keptMilliseconds = 5 * 60_000;
const atOnce = 8;

const holder = globalThis as {
  lettermillAnswers?: {
    kept: LRUCache<string, Promise<Answer>>;
    inTurn: ReturnType<typeof atMost>;
  };
};
const shared = () =>
  (holder.lettermillAnswers ??= {
    kept: new LRUCache({ max: 2_000, ttl: keptMilliseconds }),
    inTurn: atMost(2 * atOnce),
  });

const headers = {
  "user-agent": "Lettermill link check",
  accept: "text/html,image/*,*/*;q=0.8",
};
/** Servers that do not know HEAD, or answer it in another way than GET, answer these. */
const asksForGet = (status: number) => status >= 400;
/** They do not let programs in, or only with an account, which says nothing about people. */
const shutOut = new Set([401, 402, 403, 405, 406, 407, 408, 418, 425, 429, 451, 999]);

/** One address, following redirects by hand so that each is checked as the first was. */
async function ask(url: string, method: "HEAD" | "GET", signal: AbortSignal) {
  let target = url;
  for (let redirects = 0; ; redirects++) {
    const response = await guardedFetch(target, {
      method,
      headers,
      timeoutMilliseconds: oneMilliseconds,
      largestBytes: largestImageBytes,
      signal,
    });
    response.discard();
    const { location } = response.headers;
    const leads = [301, 302, 303, 307, 308].includes(response.status) && location !== undefined;
    if (!leads || redirects === mostRedirects || !URL.canParse(location, target)) return response;
    target = new URL(location, target).href;
  }
}

async function answerOf(url: string, signal: AbortSignal): Promise<Answer> {
  try {
    let response = await ask(url, "HEAD", signal);
    if (asksForGet(response.status)) response = await ask(url, "GET", signal);
    const { status } = response;
    if (status >= 400 && !shutOut.has(status)) return { kind: "broken", status };
    const length = Number(response.headers["content-length"] ?? Number.NaN);
    return { kind: "fine", bytes: Number.isFinite(length) ? length : null };
  } catch (error) {
    if (signal.aborted) return { kind: "unknown" };
    if (!(error instanceof GuardedFetchError)) throw error;
    return { kind: "unreachable", reason: error.message };
  }
}

/**
 * The answers of these addresses, in order, by HEAD and if necessary by GET, cached for five minutes. Takes at most
 * ten seconds. Only public servers are called (see guardedFetch).
 */
export async function readAnswers(urls: readonly string[]): Promise<Answer[]> {
  const { kept, inTurn } = shared();
  const stop = AbortSignal.timeout(allMilliseconds);
  const mine = atMost(atOnce);
  return Promise.all(
    urls.map(async (url) => {
      const before = kept.get(url);
      if (before) return untilStopped(before, stop);
      const asking = mine(() =>
        inTurn(async () => (stop.aborted ? ({ kind: "unknown" } as const) : answerOf(url, stop))),
      );
      kept.set(url, asking);
      const forget = () => {
        if (kept.peek(url) === asking) kept.delete(url);
      };
      asking.then(({ kind }) => {
        if (kind === "unknown") forget();
      }, forget);
      return asking;
    }),
  );
}

/** Somebody else's request may still have more time. */
function untilStopped(asking: Promise<Answer>, stop: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const give = () => resolve({ kind: "unknown" });
    if (stop.aborted) give();
    stop.addEventListener("abort", give, { once: true });
    asking.then(resolve, reject).finally(() => stop.removeEventListener("abort", give));
  });
}
