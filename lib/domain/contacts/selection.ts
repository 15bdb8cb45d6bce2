import type { SQL } from "drizzle-orm";
import type { Context } from "@/lib/ground/context";
import { segmentMembers } from "@/lib/domain/segments/segments";
import { contactConditions } from "./rows";
import type { ContactFilter } from "./schema";

/** A filter as conditions on `contacts c`; `expected` is for newestContacts. Throws NOT_FOUND for the segment. */
export async function contactSelection(
  ctx: Context,
  filter: ContactFilter,
): Promise<{ conditions: SQL[]; expected?: number }> {
  const conditions = contactConditions(ctx.projectId, filter);
  if (filter.segmentId === undefined) return { conditions };
  const { condition, expected } = await segmentMembers(ctx, filter.segmentId);
  return { conditions: [...conditions, condition], expected };
}
