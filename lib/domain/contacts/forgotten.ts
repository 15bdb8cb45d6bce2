import { and, desc, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments, columns, excluded, fixed, insertSelected, newIdOf } from "@/db/names";
import { consentChanges, forgottenAddresses, suppressions } from "@/db/schema";
import { oldestSecret, sign } from "@/lib/ground/secrets";
import type { ContactRow } from "./rows";

/**
 * What remains of an address that was deleted for good: a keyed hash that differs between projects and does not
 * reveal the address to anybody without APP_SECRET.
 */
export function forgottenHash(projectId: string, email: string): string {
  return sign("forgotten-address", `${projectId} ${email.toLowerCase()}`, 32, oldestSecret());
}

/** Their last objection to everything the project sends; null if there was none. */
async function findObjection(tx: Transaction, projectId: string, contactId: string) {
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
        eq(consentChanges.contactId, contactId),
        eq(consentChanges.kind, "subscription"),
        isNull(consentChanges.listId),
      ),
    )
    .orderBy(desc(consentChanges.id))
    .limit(1);
  return last?.after === "unsubscribed" ? last : null;
}

/** Keeps a keyed hash of the address, and with it why it was suppressed and what proves an objection. */
export async function rememberHash(
  tx: Transaction,
  projectId: string,
  { id, email }: Pick<ContactRow, "id" | "email">,
): Promise<void> {
  const objection = await findObjection(tx, projectId, id);
  const [lifted] = await tx
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

/** A subquery for a lateral join: the forgotten address of a hash, looked up by its whole key. */
export function forgottenAddress(projectId: SQL, hash: SQL): SQL {
  return sql`(select ${columns(forgottenAddresses.hash, forgottenAddresses.suppressed)}
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
