import { count, sql } from "drizzle-orm";
import { stateOf } from "@/lib/domain/contact-states/state";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { emails } from "@/db/schema";
import { planMerge, type MergedMember, type Side } from "./plan";
import type { MergeInput, MergePerson, MergePreview } from "./schema";
import { findPair, readSides, refuseTooMany } from "./sides";
import { repeatedMail } from "./waiting-mail";

type Shown = Omit<Side, "id" | "members"> & {
  members: readonly Pick<MergedMember, "listId" | "list" | "status">[];
};

function toPerson(person: Shown): MergePerson {
  const { email, firstName, lastName, consent, suppressed, tags, data, pausedUntil } = person;
  const paused = pausedUntil !== null && pausedUntil > new Date();
  return {
    ...{ email, firstName, lastName, tags, data },
    subscribed: consent === "subscribed",
    state: stateOf(consent, { suppressed, paused }),
    lists: person.members.map(({ listId, list, status }) => ({
      ...{ id: encodeId("list", listId), name: list, status },
    })),
    topicsLeft: person.topicsLeft.map(({ id, name }) => ({ id: encodeId("topic", id), name })),
    pausedUntil: paused ? pausedUntil.toISOString() : null,
    onceAWeekAtMost: person.weekly,
  };
}

/**
 * What two contacts (each by id or address) have, and what merging them would make of them. Changes nothing. Throws
 * what mergeContacts throws. Needs editor.
 */
export async function previewMerge(
  ctx: Context,
  id: string,
  input: MergeInput,
): Promise<MergePreview> {
  requireRole(ctx, "editor");
  const pair = await findPair(ctx.db, ctx, id, input);
  if (pair.other === null) throw new AppError("CONFLICT", "The two have been merged already.");
  const ids = [pair.kept, pair.other] as const;
  await refuseTooMany(ctx.db, ids);
  const [kept, other] = await readSides(ctx.db, ids);
  if (!kept || !other) throw notFound();
  const plan = planMerge(kept, other, input);
  const [{ waiting = 0 } = {}] = await ctx.db
    .select({ waiting: count() })
    .from(emails)
    .where(sql`${emails.id} in (${repeatedMail(kept.id, other.id)})`);
  const withId = (side: Side) => ({ id: encodeId("contact", side.id), ...toPerson(side) });
  return { contact: withId(kept), other: withId(other), result: toPerson(plan), waiting };
}
