import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { ConsentOrigin } from "@/db/enums";

/** Who or what changes contacts' fields, as the trigger that records the changes reads it. Ids are uuids. */
export interface Changing {
  origin: ConsentOrigin;
  actorId?: string | null;
  importId?: string | null;
  formId?: string | null;
  /** The change that is taken back. */
  undoes?: string;
}

const setting = (said: SQL) => sql`set_config('lettermill.changed_by', ${said}, true)`;

const plain = ({ origin, actorId, importId, formId, undoes }: Changing): Changing => ({
  origin,
  ...(actorId && { actorId }),
  ...(importId && { importId }),
  ...(formId && { formId }),
  ...(undoes && { undoes }),
});

/** Says who changes contacts from here to the end of the transaction; recorded with each change. */
export async function sayWhoChanges(executor: Executor, by: Changing): Promise<void> {
  await executor.execute(sql`select ${whoChanges(by)}`);
}

/** The same as an expression for a statement that changes contacts. */
export const whoChanges = (by: Changing): SQL => setting(sql`${JSON.stringify(plain(by))}`);

/**
 * The same as a query, for several who change contacts at once. `wanted`: a relation with `project_id`, `key` (the
 * address in the database's lower case), `origin` and `actor_id`.
 */
export const whoChangesEach = (wanted: SQL): SQL =>
  sql`select ${setting(sql`jsonb_build_object('each', jsonb_object_agg(project_id || ' ' || key,
      jsonb_strip_nulls(jsonb_build_object('origin', origin, 'actorId', actor_id))))::text`)}
    from ${wanted}`;
