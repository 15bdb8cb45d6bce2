import type { SQL } from "drizzle-orm";
import type { Context } from "@/lib/ground/context";
import { hasState } from "@/lib/domain/contact-states/has-state";
import { segmentCondition } from "@/lib/domain/segments/segments";
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
}

/** Throws NOT_FOUND for the segment. */
export async function contactSelection(
  ctx: Context,
  filter: ContactListFilter,
): Promise<ContactSelection> {
  const conditions = contactConditions(ctx.projectId, filter);
  const { each, found, inOrder } = filter.state
    ? hasState(ctx.projectId, filter.state)
    : { each: [], found: null, inOrder: [] };
  const selection = {
    conditions: [...conditions, ...(found ?? each)],
    each: [...conditions, ...each],
    inOrder,
    led: found !== null,
  };
  if (filter.segmentId === undefined) return found ? { ...selection, expected: 0 } : selection;
  const { condition, expected } = await segmentCondition(ctx, filter.segmentId);
  return {
    ...selection,
    conditions: [...selection.conditions, condition],
    each: [...selection.each, condition],
    expected: found ? 0 : expected,
  };
}
