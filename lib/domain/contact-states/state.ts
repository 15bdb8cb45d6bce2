import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import type { Consent, SuppressionReason } from "@/db/enums";
import { contacts } from "@/db/schema";
import { c } from "./contact-alias";
import type { ContactState } from "./schema";
import { reasonFor } from "./suppressed";

const consentStates: Record<Consent, ContactState> = {
  subscribed: "reachable",
  unsubscribed: "unsubscribed",
  never: "never_subscribed",
};

/** Whether campaigns reach somebody, or the first reason why not: a suppression outweighs consent. */
export function stateOf(
  consent: Consent,
  { suppressed, paused }: { suppressed: SuppressionReason | null; paused: boolean },
): ContactState {
  return suppressed ?? (paused && consent === "subscribed" ? "paused" : consentStates[consent]);
}

/** SQL: whether the person of `contacts c` has asked to be left alone for now. */
export const isPaused = sql<boolean>`coalesce(${c.pausedUntil} > app_now(), false)`;

/** Why the address of `contacts c` is suppressed; null when it is not. Looks up each row by key. */
export const suppressedReason = sql<SuppressionReason | null>`${reasonFor(c.projectId, c.email)}`;

/** What keeps mail from contacts (uuid) that have just been written, by their ids. */
export async function findHindrances(
  executor: Executor,
  ids: readonly string[],
): Promise<Map<string, { suppressed: SuppressionReason | null; paused: boolean }>> {
  const rows = await executePrepared<{
    id: string;
    suppressed: SuppressionReason | null;
    paused: boolean;
  }>(
    executor,
    sql`select ${c.id}, ${suppressedReason} as suppressed, ${isPaused} as paused from ${contacts} c
      where ${c.id} = any(${sql.param(ids)}::uuid[])`,
  );
  return new Map(rows.map(({ id, ...hindrance }) => [id, hindrance]));
}
