import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Database } from "@/db/client";
import * as schema from "@/db/schema";

/**
 * The statements that `work` sends to the database, and what kinds of values it gives them, as text for
 * a snapshot file: what a refactoring changes in them shows as a difference. Only those built from
 * CTEs, unless `matching` says which.
 */
export async function recordStatements(
  url: string,
  work: (db: Database) => Promise<unknown>,
  matching = /^\s*with\b/,
): Promise<string> {
  const statements: string[] = [];
  const client = postgres(url, {
    max: 1,
    onnotice: () => {},
    debug: (_connection, text, parameters) => {
      if (matching.test(text)) statements.push(describe(text, parameters));
    },
  });
  const db: Database = drizzle(client, { schema });
  try {
    // The driver asks for the types of arrays first.
    await client`select 1`;
    statements.length = 0;
    await work(db);
    return `${statements.join("\n\n")}\n`;
  } finally {
    await client.end({ timeout: 5 });
  }
}

function describe(text: string, parameters: readonly unknown[]): string {
  const kinds = parameters.map((value, index) => `$${index + 1} ${kindOf(value)}`);
  return kinds.length > 0 ? `${layOut(text)}\n-- ${kinds.join(", ")}` : layOut(text);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `array of ${value.length}`;
  return value instanceof Date ? "date" : typeof value;
}

const clauses =
  /(?<!left|cross) (?=(?:from|join|left join|cross join|where|group by|having|order by|union all|on conflict|set|returning|values)\b)|(?<=\)) (?=(?:select|insert into|update|delete from)\b)|(?<=\),) (?=\w+(?:\([\w, ]+\))? as (?:materialized )?\((?:select|insert|update|delete|with)\b)/g;

/** One clause per line, without comments, quotes around names or the process's own figures slot. */
function layOut(text: string): string {
  return text
    .replace(/--.*/g, "")
    .replace(/"(\w+)"/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/\( /g, "(")
    .replace(/ ([),])/g, "$1")
    .replace(/, \d+( \+ 256 \* coalesce\(variant, 0\))?, sum\(/g, ", <slot>$1, sum(")
    .trim()
    .replace(clauses, "\n");
}
