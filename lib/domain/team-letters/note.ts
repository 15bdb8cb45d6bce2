import { and, eq, exists, sql } from "drizzle-orm";
import type { TeamLetterKind } from "@/db/enums";
import type { Transaction } from "@/db/client";
import { memberships, projects, teamLetters } from "@/db/schema";
import type { TeamLetterData } from "@/db/schema/team-letters";
import { insertSelected, newIdOf } from "@/db/names";
import { wantsLetters } from "./choices";

/**
 * Writes down, in the transaction in which it happens, that those of the project's members who want such letters are
 * to be told; a worker mails them. Does nothing where nobody wants them, nor for a `key` that was written down before.
 */
export async function noteTeamLetter(
  tx: Transaction,
  projectId: string,
  kind: TeamLetterKind,
  data: TeamLetterData,
  key: string | null = null,
): Promise<void> {
  const readers = tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.projectId, projects.id), wantsLetters(kind)));
  await tx.execute(sql`
    ${insertSelected(teamLetters, {
      id: newIdOf(sql`${projects.id}`),
      projectId: sql`${projects.id}`,
      kind: sql`${kind}`,
      key: sql`${key}::text`,
      data: sql`${JSON.stringify(data)}::jsonb`,
    })}
    from ${projects} where ${projects.id} = ${projectId} and ${exists(readers)}
    on conflict do nothing`);
}
