import type { Contract } from "@/lib/doors/http/contract/document";
import type { FuzzRequest } from "./requests";

const slowMilliseconds = 2_000;
const patienceMilliseconds = 30_000;

interface Finding {
  fault: string;
  request: FuzzRequest;
  times: number;
}

/** Sends requests and keeps what should not happen, each kind of fault once per operation. */
export class Findings {
  readonly #found = new Map<string, Finding>();
  readonly #statuses = new Map<number, number>();
  readonly #durations: number[] = [];

  get count(): number {
    return this.#found.size;
  }

  #add(request: FuzzRequest, fault: string): void {
    const key = `${request.operation.name} ${fault.replace(/\d+/g, "n").slice(0, 80)}`;
    const before = this.#found.get(key);
    if (before) before.times++;
    else {
      this.#found.set(key, { fault, request, times: 1 });
      tell(fault, request);
    }
  }

  /** The answer's status and parsed body; null when there was none. */
  async ask(
    base: string,
    request: FuzzRequest,
    contract: Contract,
  ): Promise<{ status: number; body: unknown } | null> {
    const started = performance.now();
    try {
      const response = await fetch(base + request.path, {
        method: request.method,
        headers: request.headers,
        ...(request.body === null ? {} : { body: request.body }),
        signal: AbortSignal.timeout(patienceMilliseconds),
        redirect: "manual",
      });
      const text = await response.text();
      const { status, headers } = response;
      this.#durations.push(performance.now() - started);
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      if (performance.now() - started > slowMilliseconds) this.#add(request, `slow`);
      if (status >= 500) this.#add(request, `${status} ${text.slice(0, 200)}`);
      else if (!request.elsewhere) {
        const [fault] = contract.faultsOf(request.operation, { status, text, headers });
        if (fault) this.#add(request, fault);
      }
      return { status, body: parse(text) };
    } catch (error) {
      this.#add(request, `no answer: ${String((error as Error).cause ?? error)}`);
      return null;
    }
  }

  print(): void {
    for (const { fault, request, times } of this.#found.values()) {
      console.log(`BAD ${request.operation.name}, ${times} times: ${fault}`);
    }
    const sorted = this.#durations.toSorted((first, second) => first - second);
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    const statuses = [...this.#statuses].sort(([first], [second]) => first - second);
    console.log(`answers: ${statuses.map(([status, n]) => `${n} x ${status}`).join(", ")}`);
    console.log(`duration: median ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms`);
  }
}

/** Printed as soon as it is found, so that nobody has to wait for the end of an hour's run. */
function tell(fault: string, { operation, method, path, headers, body }: FuzzRequest): void {
  console.log(`found: ${operation.name}: ${fault}`);
  console.log(`    ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)}`);
  if (body !== null) console.log(`    ${JSON.stringify(body.slice(0, 600))}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
