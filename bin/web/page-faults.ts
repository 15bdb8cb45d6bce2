import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isNativeError } from "node:util/types";
import { log } from "@/lib/ground/log";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { answerUnavailable } from "./unavailable-page";

interface PageRun {
  requestId: string;
  /** Whether it failed because the database was away or too slow. */
  unavailable: boolean;
}
const runs = new AsyncLocalStorage<PageRun>();

/**
 * Next prints the error of a page that fails through the console, whole: the statement, its values and with
 * them people's addresses. From now on such errors are logged as those of the surfaces are.
 */
export function logPageFaults(): void {
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    const error = parts.find((part) => isNativeError(part));
    if (!error) return print(...parts);
    const run = runs.getStore();
    const requestId = run?.requestId ?? "none";
    const { digest } = error as { digest?: unknown };
    // What the page shows its reader as the reference.
    if (typeof digest === "string") log.error({ requestId, digest }, "a page could not be made");
    const fault = toAppError(error, requestId);
    if (run && fault.code === "UNAVAILABLE") run.unavailable = true;
  };
}

/**
 * Has a page made; one that the database left in the middle is answered as if it had been away before: 503,
 * and when to come back. What has begun to leave stays as it is.
 */
export async function makePage(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    pages: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    requestId: string;
  },
): Promise<void> {
  const { pages, requestId } = options;
  const run: PageRun = { requestId, unavailable: false };
  const writeHead = response.writeHead.bind(response);
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let replaced = false;
  const replace = (): boolean => {
    if (replaced) return true;
    if (response.headersSent || response.statusCode !== 500 || !run.unavailable) return false;
    replaced = true;
    Object.assign(response, { writeHead, write, end });
    for (const name of response.getHeaderNames()) {
      if (name !== "x-request-id") response.removeHeader(name);
    }
    answerUnavailable(response);
    // The rest of the page that failed.
    Object.assign(response, { writeHead: () => response, write: () => true, end: () => response });
    return true;
  };
  Object.assign(response, {
    writeHead: (...args: Parameters<typeof writeHead>) => {
      response.statusCode = args[0];
      return replace() ? response : writeHead(...args);
    },
    write: (...args: Parameters<typeof write>) => replace() || write(...args),
    end: (...args: Parameters<typeof end>) => (replace() ? response : end(...args)),
  });
  await runs.run(run, () => pages(request, response));
}
