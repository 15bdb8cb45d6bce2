import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { Consent, SuppressionReason } from "@/db/enums";
import { suppressions } from "@/db/schema";
import { c } from "./contact-alias";
import type { ContactState } from "./schema";

const consentStates: Record<Consent, ContactState> = {
  subscribed: "reachable",
  unsubscribed: "unsubscribed",
  never: "never_subscribed",
};

/** Whether campaigns reach somebody, or the first reason why not: a suppression outweighs consent. */
export function stateOf(consent: Consent, suppressed: SuppressionReason | null): ContactState {
  return suppressed ?? consentStates[consent];
}

/** Why the address of `contacts c` is suppressed; null: it is not. One look-up by key for each row. */
export const suppressedReason = sql<SuppressionReason | null>`(
  select ${suppressions.reason} from ${suppressions}
  where ${suppressions.projectId} = ${c.projectId}
    and lower(${suppressions.email}) = lower(${c.email}))`;

/** The same of an address that was just written. */
export async function findSuppressedReason(
  executor: Executor,
  projectId: string,
  email: string,
): Promise<SuppressionReason | null> {
  const [row] = await executor
    .select({ reason: suppressions.reason })
    .from(suppressions)
    .where(
      sql`${suppressions.projectId} = ${projectId} and lower(${suppressions.email}) = lower(${email})`,
    );
  return row?.reason ?? null;
}
