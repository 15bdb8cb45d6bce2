import type postgres from "postgres";

/*
 * A connection pooler (PgBouncer in transaction mode) gives each transaction to any of its connections to
 * the server. What belongs to a session is lost there: a prepared statement is missing (and a COMMIT that
 * is one then rolls back), LISTEN hears nothing, a session's lock is held by somebody else's session.
 */

/** What the driver keeps of a client and its transactions alike. `prepare`: statements may stay prepared. */
interface ClientOptions {
  prepare: boolean;
}

const pooled = new WeakSet<object>();

/** Says that the client's statements go through a pooler, or that they do not, without asking. */
export function declarePooled(client: postgres.Sql, throughPooler: boolean): void {
  const options = client.options as unknown as ClientOptions;
  options.prepare = !throughPooler;
  if (throughPooler) pooled.add(options);
}

/**
 * Whether a pooler stands between: then the process that answers is not the one that the connection was
 * greeted by. Asked once per client, on the connection of the transaction where it is one; poolers that
 * keep to one connection per session are taken for one, too.
 */
export async function isPooled(client: postgres.Sql): Promise<boolean> {
  const options = client.options as unknown as ClientOptions | undefined;
  // Of a transaction that was not opened by db/client nothing is known.
  if (!options || pooled.has(options)) return true;
  if (options.prepare) return false;
  const question = client.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid");
  const [row] = await question;
  const { state } = question as unknown as { state: { pid: number } };
  declarePooled(client, row?.pid !== state.pid);
  return !options.prepare;
}
