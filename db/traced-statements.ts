import type postgres from "postgres";

/** Called as a statement is sent; what it returns, once it has been answered. */
type Begin = (text: string) => ((error?: unknown) => void) | null;

/** A statement of the driver (3.4), as far as it is used here. */
interface DriverQuery {
  strings: readonly string[];
  handle(): Promise<void>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const begun = new WeakSet<object>();

/** Measures every statement of the driver from now on: what its statements share is changed, as in transactions.ts. */
export function traceStatements(client: postgres.Sql, begin: Begin): void {
  // This one is never awaited, and so never sent.
  const shared = Object.getPrototypeOf(client.unsafe("select 1")) as DriverQuery;
  const handle = Reflect.get(shared, "handle");
  shared.handle = function (this: DriverQuery) {
    if (!begun.has(this)) {
      begun.add(this);
      const end = begin(this.strings[0] ?? "");
      if (end) {
        const [resolve, reject] = [this.resolve.bind(this), this.reject.bind(this)];
        this.resolve = (result) => {
          end();
          resolve(result);
        };
        this.reject = (error) => {
          end(error);
          reject(error);
        };
      }
    }
    return handle.call(this);
  };
}
