import { sql, type SQL } from "drizzle-orm";
import type { Context } from "@/lib/ground/context";
import { canHaveState, hasState } from "@/lib/domain/contact-states/has-state";
import { compileFilter } from "@/lib/domain/segments/compile";
import { findCounted } from "@/lib/domain/segments/segments";
import type { ContactListFilter } from "./list-schema";
import { contactConditions } from "./rows";

/** A filter as conditions on `contacts c`. */
export interface ContactSelection {
  conditions: SQL[];
  /** The same for contacts that are met on the way: what finds a few among many is looked up for each instead. */
  each: SQL[];
  /** For newestContacts: roughly how many there are, if known. */
  expected?: number | undefined;
  /** Those of them that an index has in the order of ids. */
  inOrder: SQL[];
  /** Whether an index leads to all of them, but in no order. */
  led: boolean;
  /** Whether it is of nobody, since its filters contradict each other. */
  none: boolean;
}

/** Throws NOT_FOUND for the segment. */
export async function contactSelection(
  ctx: Context,
  filter: ContactListFilter,
): Promise<ContactSelection> {
  const { state, subscribed } = filter;
  const none = state && subscribed !== undefined ? !canHaveState(subscribed, state) : false;
  const conditions = contactConditions(ctx.projectId, filter);
  // Postgres would not see it of those who are not subscribed, and ask each who is.
  if (none) conditions.push(sql`false`);
  const { each, found, inOrder } = state
    ? hasState(ctx.projectId, state)
    : { each: [], found: null, inOrder: [] };
  const selection = {
    conditions: [...conditions, ...(found ?? each)],
    each: [...conditions, ...each],
    inOrder,
    led: found !== null,
    none,
  };
  if (filter.segmentId === undefined) return found ? { ...selection, expected: 0 } : selection;
  const { filter: segment, expected } = await findCounted(ctx, filter.segmentId);
  const condition = compileFilter(segment, ctx.projectId);
  return {
    ...selection,
    conditions: [...selection.conditions, condition],
    each: [...selection.each, condition],
    expected: found ? 0 : expected,
  };
}
