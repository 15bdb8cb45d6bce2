import type postgres from "postgres";
import { Fault } from "@/bin/start/fault";
import { literal, type OtherIds } from "./plan";

/*
 * Members, and whose platform tokens, assistants and captured sign-in mails the project has. Somebody whom the
 * target knows by their address stays who they are there, and rows that name them take on that id. Everybody else
 * comes along with what they sign in with; sessions and links do not.
 */

type Executor = postgres.Sql | postgres.TransactionSql;

const needed = (projectId: string) => {
  const owner = literal(projectId);
  return `select user_id as id from memberships where project_id = ${owner}
    union select user_id from platform_tokens where project_id = ${owner}
    union select user_id from assistants where project_id = ${owner}
    union select user_id from presences where project_id = ${owner}
    union select reader_user_id from captured_emails
      where project_id = ${owner} and reader_user_id is not null`;
};

/** The people whom the target knows by another id. */
export async function findOtherIds(
  source: Executor,
  target: Executor,
  projectId: string,
): Promise<OtherIds> {
  const here = await source.unsafe<{ id: string; email: string }[]>(
    `select id, lower(email) as email from users where id in (${needed(projectId)})`,
  );
  const there = await target<{ id: string; email: string }[]>`
    select id, lower(email) as email from users
    where lower(email) = any(${here.map(({ email }) => email)}::text[])`;
  const idOf = new Map(there.map(({ id, email }) => [email, id]));
  return new Map(
    here.flatMap(({ id, email }) => {
      const other = idOf.get(email);
      return other === undefined || other === id ? [] : [[id, other] as const];
    }),
  );
}

/** Whether both name the same people by the same ids. */
export const isSame = (some: OtherIds, others: OtherIds): boolean =>
  some.size === others.size && [...some].every(([here, there]) => others.get(here) === there);

/** What of theirs comes along; `$1` are the people. */
const theirs: readonly [table: string, condition: string][] = [
  ["users", "id = any($1::uuid[])"],
  ["second_factors", "user_id = any($1::uuid[])"],
  [
    "recovery_codes",
    "second_factor_id in (select id from second_factors where user_id = any($1::uuid[]))",
  ],
  ["passkeys", "user_id = any($1::uuid[])"],
  ["user_identities", "user_id = any($1::uuid[])"],
];

async function copyAsJson(
  from: Executor,
  to: Executor,
  table: string,
  condition: string,
  values: string[],
): Promise<void> {
  const [row] = await from.unsafe<{ rows: string | null }[]>(
    `select jsonb_agg(to_jsonb(r))::text as rows from (select * from ${table} where ${condition}) r`,
    [values],
  );
  if (!row?.rows) return;
  await to.unsafe(
    `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::text::jsonb)
      on conflict do nothing`,
    [row.rows],
  );
}

/** Brings people whom the target does not know, and the programs that assistants are. Throws a Fault. */
export async function copyPeople(
  from: Executor,
  to: Executor,
  projectId: string,
  people: OtherIds,
): Promise<void> {
  const all = await from.unsafe<{ id: string }[]>(needed(projectId));
  const ids = all.map(({ id }) => id).filter((id) => !people.has(id));
  const present = await to<{ id: string }[]>`select id from users where id = any(${ids}::uuid[])`;
  const isPresent = new Set(present.map(({ id }) => id));
  const fresh = ids.filter((id) => !isPresent.has(id));
  for (const [table, condition] of theirs) {
    await copyAsJson(from, to, table, condition, fresh);
  }
  const programs = await from<{ id: string }[]>`
    select distinct client_id as id from assistants where project_id = ${projectId}`;
  await copyAsJson(
    from,
    to,
    "oauth_clients",
    "id = any($1::uuid[])",
    programs.map(({ id }) => id),
  );
  // No foreign key is asked here: somebody may have deleted their account there, or registered, a moment ago.
  const named = new Set([...ids, ...people.values()]);
  const there = await to`
    select 1 from users where id = any(${[...named]}::uuid[]) for key share`;
  if (there.length < named.size) {
    throw new Fault(
      "Somebody who works on the project has joined or left the target meanwhile; it goes on here. Try again.",
    );
  }
}
