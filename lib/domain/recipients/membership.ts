import { and, desc, eq, isNull, or } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { ConsentValue } from "@/db/schema/contacts";
import { consentChanges, subscribers } from "@/db/schema";
import type { ContactRow } from "@/lib/domain/contacts/rows";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { t } from "@/lib/ground/texts/t";
import type { Reason } from "./reason";

type Change = Pick<typeof consentChanges.$inferSelect, "listId" | "before" | "after" | "createdAt">;
type State = ConsentValue | null;

/**
 * A subscription at a past time, traced back from what it is now, and since when; `since` is null when it predates
 * the history.
 */
function stateAt(
  changes: readonly Change[],
  now: State,
  time: Date,
): { state: State; since: Date | null } {
  let state = now;
  for (const { before, createdAt } of changes) {
    if (createdAt <= time) return { state, since: createdAt };
    state = before;
  }
  return { state, since: null };
}

/** The period in which the audience was chosen; both ends are now for a campaign that has not begun. */
export interface ChoosingTime {
  from: Date;
  to: Date;
}

/** Why the subscription, to everything or to the campaign's list, kept them out; null when it did not. */
export async function findMembershipReason(
  executor: Executor,
  campaign: CampaignRow,
  contact: ContactRow,
  { from, to }: ChoosingTime,
): Promise<Reason | null> {
  const { listId, projectId } = campaign;
  const changes: Change[] = await executor
    .select()
    .from(consentChanges)
    .where(
      and(
        eq(consentChanges.projectId, projectId),
        eq(consentChanges.contactId, contact.id),
        eq(consentChanges.kind, "subscription"),
        or(isNull(consentChanges.listId), listId ? eq(consentChanges.listId, listId) : undefined),
      ),
    )
    .orderBy(desc(consentChanges.id));
  const general = changes.filter((change) => change.listId === null);
  for (const time of [from, to]) {
    const { state, since } = stateAt(general, contact.consent, time);
    if (state === "unsubscribed") {
      const reason = t("They had unsubscribed when the recipients were chosen.");
      return { code: "unsubscribed", reason, since };
    }
    if (state === "never" || state === null) {
      const reason = t("They had not subscribed when the recipients were chosen.");
      return { code: "never_subscribed", reason, since };
    }
  }
  return listId === null ? null : findListReason(executor, { listId, contact, from, to, changes });
}

async function findListReason(
  executor: Executor,
  {
    listId,
    contact,
    from,
    to,
    changes,
  }: ChoosingTime & { listId: string; contact: ContactRow; changes: readonly Change[] },
): Promise<Reason | null> {
  const [member] = await executor
    .select({ status: subscribers.status, createdAt: subscribers.createdAt })
    .from(subscribers)
    .where(and(eq(subscribers.listId, listId), eq(subscribers.contactId, contact.id)));
  const ofList = changes.filter((change) => change.listId === listId);
  const none = { code: "not_on_list", reason: t("They were not on the campaign's list.") } as const;
  if (!member) return none;
  if (member.createdAt > from) {
    const reason = t("They joined the campaign's list after its recipients had been chosen.");
    return { code: "added_later", reason, since: member.createdAt };
  }
  for (const time of [from, to]) {
    const { state, since } = stateAt(ofList, member.status, time);
    if (state === "subscribed") continue;
    if (state === null) return none;
    return state === "unconfirmed"
      ? {
          code: "unconfirmed",
          reason: t("They had not confirmed their place on the campaign's list."),
          since,
        }
      : {
          code: "left_list",
          reason: t("They had left the campaign's list when its recipients were chosen."),
          since,
        };
  }
  return null;
}
