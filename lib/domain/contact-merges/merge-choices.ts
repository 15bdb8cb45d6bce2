import { eq, inArray } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { subscribers, topicDepartures } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { changedBy, recordConsentChange } from "@/lib/domain/contacts/consent-changes";
import type { Context } from "@/lib/ground/context";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { encodeId } from "@/lib/ground/ids/ids";
import type { MergedMember, MergePlan, Side } from "./plan";

/** Records a membership that the kept contact did not have, or not so, and tells webhooks of it. */
async function noteMember(
  tx: Transaction,
  ctx: Context,
  contactId: string,
  { listId, status: after, kept }: MergedMember,
): Promise<void> {
  const before = kept?.status ?? null;
  if (before === after) return;
  const { projectId } = ctx;
  await recordConsentChange(tx, { projectId, contactId, listId, before, after }, changedBy(ctx));
  const data = { listId: encodeId("list", listId) };
  if (after === "subscribed") {
    await emitContactEvents(tx, projectId, [{ type: "contact.subscribed", contactId, data }]);
  } else if (before === "subscribed") {
    await emitContactEvents(tx, projectId, [{ type: "contact.unsubscribed", contactId, data }]);
  }
}

/** The lists of both, each once. Nobody is welcomed: they were members. */
async function mergeLists(
  tx: Transaction,
  ctx: Context,
  kept: Side,
  { members }: MergePlan,
): Promise<void> {
  const twice = members.flatMap((member) => (member.kept && member.other ? [member.other.id] : []));
  if (twice.length > 0) await tx.delete(subscribers).where(inArray(subscribers.id, twice));
  for (const member of members) {
    const { status, fields } = member;
    if (member.kept && member.other) {
      await tx
        .update(subscribers)
        .set({ status, fields, updatedAt: now })
        .where(eq(subscribers.id, member.kept.id));
    } else if (member.other) {
      await tx
        .update(subscribers)
        .set({ contactId: kept.id, updatedAt: now })
        .where(eq(subscribers.id, member.other.id));
    }
    await noteMember(tx, ctx, kept.id, member);
  }
}

/** What a person chose about lists, topics, breaks and how often, of both, and the history of it. */
export async function mergeChoices(
  tx: Transaction,
  ctx: Context,
  kept: Side,
  other: Side,
  plan: MergePlan,
): Promise<void> {
  await mergeLists(tx, ctx, kept, plan);
  const { projectId } = ctx;
  const by = changedBy(ctx);
  const ofKept = { projectId, contactId: kept.id, listId: null };
  const had = new Set(kept.topicsLeft.map(({ id }) => id));
  for (const { id: topicId } of other.topicsLeft) {
    if (had.has(topicId)) continue;
    await tx
      .insert(topicDepartures)
      .values({ topicId, contactId: kept.id, projectId })
      .onConflictDoNothing();
    const change = { kind: "topic", before: "subscribed", after: "unsubscribed" } as const;
    await recordConsentChange(tx, { ...ofKept, topicId, ...change }, by);
  }
  const until = plan.pausedUntil;
  const isLater = until !== null && until.getTime() !== kept.pausedUntil?.getTime();
  if (isLater && until > new Date()) {
    const wasPaused = kept.pausedUntil !== null && kept.pausedUntil > new Date();
    const change = { kind: "pause", before: wasPaused ? "paused" : "active" } as const;
    await recordConsentChange(tx, { ...ofKept, ...change, after: "paused", until }, by);
  }
  if (plan.weekly && !kept.weekly) {
    const change = { kind: "frequency", before: "normal", after: "weekly" } as const;
    await recordConsentChange(tx, { ...ofKept, ...change }, by);
  }
}
