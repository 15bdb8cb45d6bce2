import { and, desc, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { ConsentOrigin } from "@/db/enums";
import { assignments, columns, excluded, fixed, insertSelected, newIdOf } from "@/db/names";
import { consentChanges, forgottenAddresses, suppressions } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { oldestSecret, sign } from "@/lib/ground/secrets";

/**
 * What remains of an address that was deleted for good: a keyed hash that differs between projects and does not
 * reveal the address to anybody without APP_SECRET. `email`: as it is written, since JavaScript's lower case, which the
 * stored hashes are of, is not the database's.
 */
export function forgottenHash(projectId: string, email: string): string {
  return sign("forgotten-address", `${projectId} ${email.toLowerCase()}`, 32, oldestSecret());
}

/** Their last objection to everything the project sends, under any of their ids; null if there was none. */
async function findObjection(tx: Transaction, projectId: string, ids: string[]) {
  const [last] = await tx
    .select({
      at: consentChanges.createdAt,
      by: consentChanges.origin,
      after: consentChanges.after,
    })
    .from(consentChanges)
    .where(
      and(
        eq(consentChanges.projectId, projectId),
        inArray(consentChanges.contactId, ids),
        eq(consentChanges.kind, "subscription"),
        isNull(consentChanges.listId),
      ),
    )
    .orderBy(desc(consentChanges.id))
    .limit(1);
  return last?.after === "unsubscribed" ? last : null;
}

/** An address, and under which ids (uuids) the history of consent of whoever had it is. */
interface Leaving {
  ids: string[];
  email: string;
}

/**
 * Keeps a keyed hash of the address, with what proves an objection and, unless mail to it may still be under way
 * (`keepSuppressed`), why it was suppressed, which it then no longer is.
 */
export async function rememberHash(
  tx: Transaction,
  projectId: string,
  { ids, email }: Leaving,
  { keepSuppressed = false } = {},
): Promise<void> {
  const objection = await findObjection(tx, projectId, ids);
  const [lifted] = keepSuppressed
    ? []
    : await tx
        .delete(suppressions)
        .where(
          and(
            eq(suppressions.projectId, projectId),
            sql`lower(${suppressions.email}) = lower(${email})`,
          ),
        )
        .returning({ reason: suppressions.reason });
  await tx
    .insert(forgottenAddresses)
    .values({
      projectId,
      hash: forgottenHash(projectId, email),
      suppressed: lifted?.reason ?? null,
      objectedAt: objection?.at ?? null,
      objectedBy: objection?.by ?? null,
    })
    .onConflictDoUpdate({
      target: [forgottenAddresses.projectId, forgottenAddresses.hash],
      set: {
        suppressed: sql`coalesce(${excluded(forgottenAddresses.suppressed)}, ${forgottenAddresses.suppressed})`,
        objectedAt: sql`coalesce(${excluded(forgottenAddresses.objectedAt)}, ${forgottenAddresses.objectedAt})`,
        objectedBy: sql`coalesce(${excluded(forgottenAddresses.objectedBy)}, ${forgottenAddresses.objectedBy})`,
      },
    });
}

/** An objection made at an address that is no contact's any more; the first one is kept. */
export async function rememberObjection(
  tx: Transaction,
  projectId: string,
  email: string,
  objectedBy: ConsentOrigin,
): Promise<void> {
  await tx
    .update(forgottenAddresses)
    .set({ objectedAt: now, objectedBy })
    .where(
      and(
        eq(forgottenAddresses.projectId, projectId),
        eq(forgottenAddresses.hash, forgottenHash(projectId, email)),
        isNull(forgottenAddresses.objectedAt),
      ),
    );
}

/** A subquery for a lateral join: the forgotten address of a hash, looked up by its whole key. */
export function forgottenAddress(projectId: SQL, hash: SQL): SQL {
  const { hash: hashed, suppressed, objectedAt } = forgottenAddresses;
  return sql`(select ${columns(hashed, suppressed, objectedAt)}
    from ${forgottenAddresses}
    where ${forgottenAddresses.projectId} = ${projectId} and ${forgottenAddresses.hash} = ${hash}
    limit 1)`;
}

/**
 * SQL of CTEs that restore, for addresses that come back, the suppressions they had when they were deleted.
 *
 * @param returned a relation with `project_id`, `email` and `forgotten`, the hash, of contacts just made
 */
export function restoredSuppressions(returned: string): SQL {
  const came = sql.identifier(returned);
  return fixed(sql`restored as (
      ${insertSelected(suppressions, {
        id: newIdOf(sql`${came}.project_id`),
        projectId: sql`${came}.project_id`,
        email: sql`${came}.email`,
        reason: sql`forgotten.suppressed`,
        source: sql`'restored'`,
      })}
      from ${came} cross join lateral
        ${forgottenAddress(sql`${came}.project_id`, sql`${came}.forgotten`)} forgotten
      where forgotten.suppressed is not null
      on conflict do nothing
    ), cleared as (
      update ${forgottenAddresses} set ${assignments(forgottenAddresses, { suppressed: sql`null` })}
      from ${came} where ${forgottenAddresses.projectId} = ${came}.project_id
        and ${forgottenAddresses.hash} = ${came}.forgotten
        and ${forgottenAddresses.suppressed} is not null
    )`);
}
