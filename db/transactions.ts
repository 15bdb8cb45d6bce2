import { setImmediate as nextTurn } from "node:timers/promises";
import type postgres from "postgres";
import { sqlState } from "./errors";

type Scope = postgres.TransactionSql;
type Work = (scope: Scope) => unknown;

/** For work whose connection is gone: the driver has already rejected the transaction. */
const forever = new Promise<never>(() => {});

/** Stands in for a statement that has no connection to run on. */
function refused() {
  const answer = Promise.reject(
    Object.assign(new Error("The transaction's connection was lost."), {
      code: "CONNECTION_CLOSED",
    }),
  );
  // Whoever awaits it is told.
  answer.catch(() => {});
  const same = () => answer;
  return Object.assign(answer, { values: same, simple: same, readable: same, writable: same });
}

/** Whether a call of the driver is a statement, and not a name or values for one. */
const isStatement = ([first]: readonly unknown[]): boolean =>
  Array.isArray(first) && "raw" in first;

/**
 * Keeps a process alive when its connection is cut in the middle of a transaction: the driver (3.4)
 * then writes the work's next statement, or the rollback, to a socket that is not there. Here
 * neither reaches the driver once the connection is lost.
 */
export function outliveLostConnections(client: postgres.Sql): void {
  const begin = client.begin.bind(client) as (options: string, work: Work) => Promise<unknown>;
  const guarded = (first: string | Work, second?: Work) => {
    const [options, work] = typeof first === "string" ? [first, second] : ["", first];
    if (!work) throw new Error("A transaction has no work.");
    let lost = false;
    const outcome = begin(
      options,
      guard(work, () => lost, client.options),
    );
    outcome.catch(() => {
      lost = true;
    });
    return outcome;
  };
  client.begin = guarded as typeof client.begin;
}

/** A statement of the driver (3.4), as far as it is used here. */
interface DriverQuery {
  strings: readonly string[];
  handle(): Promise<void>;
  resolve(result: { command: string }): void;
  reject(error: Error): void;
}

const looked = new WeakSet<object>();

/**
 * Makes a COMMIT that the server answered with ROLLBACK an error. The server does so without one when the
 * transaction had failed, and the driver takes it for success: when the COMMIT itself was what failed (a
 * prepared one that a pooler's other connection does not know) it tries it again, and nothing is kept.
 */
export function refuseLostCommits(client: postgres.Sql): void {
  // The driver creates its COMMIT out of reach, but not what all its statements share. This one is never
  // awaited, and so never sent.
  const shared = Object.getPrototypeOf(client.unsafe("commit")) as DriverQuery;
  if (looked.has(shared)) return;
  looked.add(shared);
  const handle = Reflect.get(shared, "handle");
  shared.handle = function (this: DriverQuery) {
    if (this.strings[0] === "commit" && !looked.has(this)) {
      looked.add(this);
      const resolve = this.resolve.bind(this);
      this.resolve = (result) => {
        if (result.command === "COMMIT") resolve(result);
        else this.reject(new Error("The server answered COMMIT with ROLLBACK: nothing was kept."));
      };
    }
    return handle.call(this);
  };
}

/** Postgres says so before it hangs up: stopped, crashed, starting. */
function endsConnection(error: unknown): boolean {
  return ["57P01", "57P02", "57P03"].includes(sqlState(error) ?? "");
}

function guard(work: Work, isLost: () => boolean, options: postgres.Sql["options"]): Work {
  return async (scope) => {
    // The driver gives these only to the client; db/pooler.ts reads them.
    Object.assign(scope, { options });
    const savepoint = scope.savepoint.bind(scope) as (...given: unknown[]) => Promise<unknown>;
    const unsafe = scope.unsafe.bind(scope) as (...given: unknown[]) => unknown;
    scope.unsafe = ((...given: unknown[]) =>
      isLost() ? refused() : unsafe(...given)) as typeof scope.unsafe;
    scope.savepoint = ((...given: unknown[]) =>
      savepoint(
        ...given.map((one) =>
          typeof one === "function" ? guard(one as Work, isLost, options) : one,
        ),
      )) as typeof scope.savepoint;
    const call = scope as unknown as (...given: unknown[]) => unknown;
    const connected = new Proxy(scope, {
      apply: (_scope, _self, given: unknown[]) =>
        isLost() && isStatement(given) ? refused() : call(...given),
    });
    let result: unknown;
    try {
      result = await work(connected);
    } catch (error) {
      // The statement fails before the transaction does, within the same turn.
      await nextTurn();
      if (isLost() || endsConnection(error)) return forever;
      throw error;
    }
    // Work that takes no notice of it must not be committed either.
    return isLost() ? forever : result;
  };
}
