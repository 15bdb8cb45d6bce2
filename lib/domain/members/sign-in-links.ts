import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { loginTokens, users, type invitations } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { answerPath } from "./invitation-rows";

/** Ends the links that sign in whoever was asked in by these invitations, which are gone. */
export async function endSignInLinks(
  tx: Transaction,
  gone: readonly Pick<typeof invitations.$inferSelect, "id" | "email">[],
): Promise<void> {
  if (gone.length === 0) return;
  const addresses = gone.map(({ email }) => email);
  await tx
    .update(loginTokens)
    .set({ usedAt: now })
    .where(
      and(
        sql`${loginTokens.userId} in (select ${users.id} from ${users}
          where lower(${users.email}) = any(array(
            select lower(address) from unnest(${sql.param(addresses)}::text[]) address)))`,
        eq(loginTokens.purpose, "invitation"),
        isNull(loginTokens.usedAt),
        inArray(
          loginTokens.redirectTo,
          gone.map(({ id }) => answerPath(id)),
        ),
      ),
    );
}
