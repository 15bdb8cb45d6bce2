import { sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";
import { insertSelected, sameNamed } from "@/db/names";
import { contacts, subscribers } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { cities, firstNames, lastNames, plans, tags } from "./content";

/** newId(projectId) for a moment in the past, so that what is old sorts as old. */
export const idAt = (projectId: string, moment: SQL) => sql`(
  lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7'
  || right(${projectId}, 3) || right(gen_random_uuid()::text, 17))::uuid`;

/** A number from 0 to below `below` that depends on `key` and `salt` alone: each run draws the same. */
export const draw = (key: SQL, salt: number, below: number) =>
  sql`((hashtextextended(${key}::text, ${salt}) & 1048575) % ${sql.raw(String(below))})::int`;

/** One of these, drawn as in `draw`. */
export const pick = (from: readonly string[], key: SQL, salt: number) =>
  sql`(${sql.param(from)}::text[])[1 + ${draw(key, salt, from.length)}]`;

const n = sql`n`;
export const monthsOfHistory = 18;

/** One of `parts` shares of the people, who joined over the last 18 months in growing numbers. */
export async function seedContacts(
  { db, projectId }: Context,
  count: number,
  [part, parts]: [number, number],
): Promise<void> {
  await db.execute(sql`
    ${insertSelected(contacts, {
      id: idAt(projectId, sql`came`),
      projectId: sql`${projectId}::uuid`,
      email: sql`lower(first || '.' || last || n || '@example.com')`,
      firstName: sql`first`,
      lastName: sql`last`,
      consent: sql`case when mood < 86 then 'subscribed' when mood < 93 then 'unsubscribed' else 'never' end`,
      tags: sql`case when ${draw(n, 2, 3)} = 0 then array[]::text[] else array[${pick(tags, n, 3)}] end`,
      data: sql`jsonb_build_object('city', ${pick(cities, n, 4)}, 'plan', ${pick(plans, n, 5)},
        'orders', ${draw(n, 6, 24)},
        'lastOrderAt', to_char(came + (app_now() - came) * (${draw(n, 7, 100)} / 100.0), 'YYYY-MM-DD'))`,
      createdAt: sql`came`,
      updatedAt: sql`came`,
    })}
    from (
      select n, ${pick(firstNames, n, 8)} as first, ${pick(lastNames, n, 9)} as last, ${draw(n, 1, 100)} as mood,
        app_now() - make_interval(months => ${monthsOfHistory}::int) * (1 - power(n::float8 / ${count}::int, 0.6)) as came
      from generate_series(1 + ${part}::int, ${count}::int, ${parts}::int) n offset 0 -- drawn once, not wherever it is read
    ) as person`);
}

/** Adds a share (percent) of the people to a list; people who left everything have left it, too. */
export async function seedMembers(
  { db, projectId }: { db: Database; projectId: string },
  list: { uuid: string; share: number; salt: number },
): Promise<void> {
  await db.execute(sql`
    ${insertSelected(subscribers, {
      ...sameNamed(subscribers, "projectId", "createdAt", "updatedAt"),
      id: idAt(projectId, sql`${contacts.createdAt}`),
      listId: sql`${list.uuid}::uuid`,
      contactId: sql`${contacts.id}`,
      status: sql`case when ${contacts.consent} = 'unsubscribed' then 'unsubscribed' else 'subscribed' end`,
      source: sql`'import'`,
    })}
    from ${contacts}
    where ${contacts.projectId} = ${projectId} and ${contacts.consent} <> 'never'
      and ${draw(sql`${contacts.id}`, list.salt, 100)} < ${list.share}`);
}
