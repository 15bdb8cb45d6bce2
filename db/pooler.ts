import type postgres from "postgres";

/*
 * A connection pooler (PgBouncer in transaction mode) gives each transaction to any of its connections to
 * the server. What belongs to a session is lost there: a prepared statement is missing (and a COMMIT that
 * is one then rolls back), LISTEN hears nothing, and a session's lock is held by somebody else's session.
 */

/** The driver's options of a client or a transaction. `prepare`: statements may stay prepared. */
interface ClientOptions {
  prepare: boolean;
}

const pooled = new WeakSet<object>();

/** Declares that the client's statements go through a pooler, or do not, without asking. */
export function declarePooled(client: postgres.Sql, throughPooler: boolean): void {
  const options = client.options as unknown as ClientOptions;
  options.prepare = !throughPooler;
  if (throughPooler) pooled.add(options);
}

/**
 * Whether there is a pooler in between: then the process that answers is not the one that greeted the
 * connection. Asked once per client, in a transaction on its connection; poolers that keep one
 * connection per session count, too.
 */
export async function isPooled(client: postgres.Sql): Promise<boolean> {
  const options = client.options as unknown as ClientOptions | undefined;
  // Nothing is known about a transaction that was not opened by db/client.
  if (!options || pooled.has(options)) return true;
  if (options.prepare) return false;
  const question = client.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid");
  const [row] = await question;
  const { state } = question as unknown as { state: { pid: number } };
  declarePooled(client, row?.pid !== state.pid);
  return !options.prepare;
}
