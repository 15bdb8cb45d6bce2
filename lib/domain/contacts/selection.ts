import type { SQL } from "drizzle-orm";
import type { Context } from "@/lib/ground/context";
import { segmentCondition } from "@/lib/domain/segments/segments";
import { contactConditions } from "./rows";
import type { ContactFilter } from "./schema";

/** A filter as conditions on `contacts c`; `expected` is for newestContacts. Throws NOT_FOUND for the segment. */
export async function contactSelection(
  ctx: Context,
  filter: ContactFilter,
): Promise<{ conditions: SQL[]; expected?: number }> {
  const conditions = contactConditions(ctx.projectId, filter);
  if (filter.segmentId === undefined) return { conditions };
  const { condition, expected } = await segmentCondition(ctx, filter.segmentId);
  return { conditions: [...conditions, condition], expected };
}
