import { hostname } from "node:os";
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "@/lib/ground/env/env";
import * as schema from "./schema";
import { declarePooled, isPooled } from "./pooler";
import { outliveLostConnections, refuseLostCommits } from "./transactions";

export type Database = PostgresJsDatabase<typeof schema> & {
  $client: postgres.Sql;
};
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** What domain functions take: a database or a transaction on it. */
export type Executor = Database | Transaction;

/**
 * Opens a pool. Drizzle takes dates and JSON over from the driver: in raw `$client` statements a
 * timestamp is a string both ways, and a JSON parameter is text, already stringified.
 */
export function connect(url: string, options: ConnectOptions = {}): Database {
  return drizzle(openClient(url, options), { schema });
}

interface ConnectOptions {
  max?: number;
  name?: string;
  /** Settings of each connection, which then lives until the client ends. */
  session?: Record<string, string>;
}

const connectSeconds = 10;
const longestBackoffSeconds = 2;

const longestName = 63;

/** What Postgres calls this process's connections: the program, its machine and its process number. */
export function connectionName(): string {
  const program = process.title.startsWith("lettermill ") ? process.title : "lettermill";
  const number = ` ${process.pid}`;
  return `${program} ${hostname()}`.slice(0, longestName - number.length) + number;
}

/** The driver as all our code uses it; migrations and listening use it without drizzle. */
export function openClient(url: string, options: ConnectOptions = {}): postgres.Sql {
  const client = postgres(url, {
    max: options.max ?? env().DATABASE_POOL,
    connection: { ...options.session, application_name: options.name ?? connectionName() },
    ...(options.session && { max_lifetime: null }),
    onnotice: () => {},
    connect_timeout: connectSeconds,
    // A worker that is back within seconds keeps what it holds: the others wait before they take it over.
    backoff: (failures: number) => Math.min(0.1 * 2 ** failures, longestBackoffSeconds),
    // Only once it is known that there is no pooler in between.
    prepare: false,
  });
  outliveLostConnections(client);
  refuseLostCommits(client);
  const { DATABASE_POOLER } = env();
  if (DATABASE_POOLER !== undefined) declarePooled(client, DATABASE_POOLER);
  return client;
}

const dialect = new PgDialect();

/**
 * Runs a hot statement as one that Postgres keeps prepared: drizzle's own `execute` has it planned anew
 * each time, which costs more than a short statement's work. Its text must not vary with its values.
 * Behind a pooler it is planned anew as well.
 */
export async function executePrepared<Row extends Record<string, unknown>>(
  executor: Executor,
  query: SQL,
): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  const client = clientOf(executor);
  const prepare = !(await isPooled(client));
  return client.unsafe<Row[]>(sql, params as postgres.ParameterOrJSON<never>[], { prepare });
}

/** The driver under a database or a transaction, for what drizzle cannot express (COPY). */
export function clientOf(executor: Executor): postgres.Sql {
  // Next bundles drizzle more than once and the pool hangs on globalThis: instanceof would lie.
  const { client } = executor._.session as unknown as { client?: postgres.Sql };
  if (!client) throw new Error("This is no postgres.js session.");
  return client;
}

const holder = globalThis as { lettermillDatabase?: Database };

/** The process's one pool, opened on first use. */
export function database(): Database {
  if (!holder.lettermillDatabase) {
    const url = env().DATABASE_URL;
    if (!url) throw new Error("DATABASE_URL is not set. `npm start` brings its own Postgres.");
    holder.lettermillDatabase = connect(url);
  }
  return holder.lettermillDatabase;
}

/** Ends the process's pool; waits up to five seconds for statements under way. */
export async function closeDatabase(): Promise<void> {
  const open = holder.lettermillDatabase;
  delete holder.lettermillDatabase;
  await open?.$client.end({ timeout: 5 });
}
