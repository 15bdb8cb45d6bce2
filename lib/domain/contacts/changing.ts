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

const setting = (said: string) => sql`set_config('lettermill.changed_by', ${said}, true)`;

const plain = ({ origin, actorId, importId, formId, undoes }: Changing): Changing => ({
  origin,
  ...(actorId && { actorId }),
  ...(importId && { importId }),
  ...(formId && { formId }),
  ...(undoes && { undoes }),
});

/** Says who changes contacts from here to the end of the transaction; recorded with each change. */
export async function sayWhoChanges(executor: Executor, by: Changing): Promise<void> {
  await executor.execute(sql`select ${setting(JSON.stringify(plain(by)))}`);
}

/**
 * The same as an expression for a statement that changes contacts for several at once; `key`: project and address in
 * lower case, with a space between them.
 */
export function whoChanges(each: readonly { key: string; by: Changing }[]): SQL {
  const texts = new Map(each.map(({ key, by }) => [key, JSON.stringify(plain(by))]));
  const [first, ...others] = new Set(texts.values());
  if (first !== undefined && others.length === 0) return setting(first);
  const entries = [...texts].map(([key, text]): [string, unknown] => [key, JSON.parse(text)]);
  return setting(JSON.stringify({ each: Object.fromEntries(entries) }));
}
