import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { errorCode, retryConflicts } from "@/db/errors";
import { assignments, columns, excluded, insertSelected, newIdOf } from "@/db/names";
import {
  contactNotes,
  contacts,
  inboundEmails,
  mergedContacts,
  personRequests,
  suppressions,
} from "@/db/schema";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import { auditConsent, consentEvents } from "@/lib/domain/contacts/consent";
import { changedBy, recordConsentChange } from "@/lib/domain/contacts/consent-changes";
import { getContact } from "@/lib/domain/contacts/contacts";
import { rememberHash } from "@/lib/domain/contacts/forgotten";
import type { Contact } from "@/lib/domain/contacts/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { emitContactEvents, emitEvents } from "@/lib/ground/events/emit";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { laterThan } from "@/lib/ground/updates/stale";
import { mergeChoices } from "./merge-choices";
import { moveMail } from "./move-mail";
import { planMerge, type MergePlan, type Side } from "./plan";
import type { MergeInput } from "./schema";
import { findPair, lockPair, readSides, refuseTooMany } from "./sides";
import { endRepeatedMail, moveWaitingMail, refuseWhileChosen } from "./waiting-mail";

/** The suppression of the address that leaves. */
const former = alias(suppressions, "former");

/** What the other contact had that names it, and is few, becomes the kept one's. */
async function moveRecords(
  tx: Transaction,
  kept: Side,
  other: Side,
  plan: MergePlan,
): Promise<void> {
  const contactId = kept.id;
  await tx.update(contactNotes).set({ contactId }).where(eq(contactNotes.contactId, other.id));
  await tx.update(inboundEmails).set({ contactId }).where(eq(inboundEmails.contactId, other.id));
  // A change to the address that stays has been done; one to the other contact's must not be taken back by a link,
  // which would then move this one.
  await tx
    .delete(personRequests)
    .where(
      and(
        inArray(personRequests.contactId, [kept.id, other.id]),
        isNull(personRequests.doneAt),
        sql`lower(${personRequests.email}) = lower(${plan.email})`,
      ),
    );
  await tx
    .update(personRequests)
    .set({
      contactId,
      keptApart: sql`${personRequests.keptApart} or ${personRequests.previousEmail} is not null`,
    })
    .where(eq(personRequests.contactId, other.id));
}

/** The former id and address, for whatever still names them. */
async function rememberMerged(
  tx: Transaction,
  ctx: Context,
  kept: Side,
  other: Side,
  { formerEmail, email, carried }: MergePlan,
): Promise<void> {
  const { projectId } = ctx;
  const { origin, actorId } = changedBy(ctx);
  await tx.insert(mergedContacts).values({
    ...{ projectId, contactId: other.id, keptId: kept.id },
    ...{ email: other.email, formerEmail, origin, actorId },
  });
  await tx
    .update(mergedContacts)
    .set({ keptId: kept.id, movedAt: null })
    .where(eq(mergedContacts.keptId, other.id));
  const both = [kept, other];
  const objectors = both.filter(({ consent }) => consent === "unsubscribed");
  const ids = (objectors.length > 0 ? objectors : both).map((side) => side.id);
  await rememberHash(tx, projectId, { ids, email: formerEmail }, { keepSuppressed: true });
  if (carried === null) return;
  await tx.execute(sql`
    ${insertSelected(suppressions, {
      id: newIdOf(sql`${projectId}::uuid`),
      projectId: sql`${projectId}::uuid`,
      email: sql`${email}::text`,
      reason: sql`${carried}::text`,
      emailId: sql`${former.emailId}`,
      response: sql`${former.response}`,
      source: sql`'merge'`,
      origin: sql`${origin}::text`,
      actorId: sql`${actorId}::uuid`,
    })}
    from (values (1)) one left join ${suppressions} former
      on ${former.projectId} = ${projectId} and lower(${former.email}) = lower(${formerEmail})
    on conflict (${columns(suppressions.projectId)}, lower(${columns(suppressions.email)}))
      do update set ${assignments(suppressions, {
        reason: excluded(suppressions.reason),
        emailId: excluded(suppressions.emailId),
        response: excluded(suppressions.response),
        source: excluded(suppressions.source),
        origin: excluded(suppressions.origin),
        actorId: excluded(suppressions.actorId),
      })}`);
}

async function changeKept(
  tx: Transaction,
  ctx: Context,
  kept: Side,
  plan: MergePlan,
): Promise<void> {
  const { email, firstName, lastName, consent, tags, data, pausedUntil, weekly } = plan;
  const by = changedBy(ctx);
  await sayWhoChanges(tx, by);
  await tx
    .update(contacts)
    .set({
      ...{ email, firstName, lastName, consent, tags, data, pausedUntil, weekly },
      updatedAt: laterThan(contacts.updatedAt),
    })
    .where(eq(contacts.id, kept.id));
  await auditConsent(tx, ctx, { id: kept.id, consent }, kept.consent);
  if (consent === kept.consent) return;
  const change = { before: kept.consent, after: consent, listId: null };
  await recordConsentChange(tx, { projectId: ctx.projectId, contactId: kept.id, ...change }, by);
}

/** Tells webhooks of the one that is gone, and of the one that has changed. */
async function tell(
  tx: Transaction,
  { projectId }: Context,
  kept: Side,
  other: Side,
  plan: MergePlan,
): Promise<void> {
  const [contactId, mergedInto] = [encodeId("contact", other.id), encodeId("contact", kept.id)];
  await emitEvents(tx, [
    { projectId, type: "contact.deleted", data: { id: contactId, mergedInto } },
  ]);
  await emitContactEvents(tx, projectId, [
    { type: "contact.updated", contactId: kept.id, data: { mergedFrom: contactId } },
    ...consentEvents(kept.consent, plan.consent).map((type) => ({ type, contactId: kept.id })),
  ]);
}

interface Merged {
  /** uuid of the contact that was merged; null: it had been already. */
  other: string | null;
  kept: string;
}

async function merge(
  tx: Transaction,
  ctx: Context,
  id: string,
  input: MergeInput,
): Promise<Merged> {
  const pair = await findPair(tx, ctx, id, input);
  if (pair.other === null) return { kept: pair.kept, other: null };
  const ids = [pair.kept, pair.other] as const;
  // Whoever merged or deleted one of them while we waited is seen by looking again.
  if (!(await lockPair(tx, ids))) return merge(tx, ctx, id, input);
  await refuseTooMany(tx, ids);
  await refuseWhileChosen(tx, ctx.projectId, ids);
  const [kept, other] = await readSides(tx, ids);
  if (!kept || !other) throw new Error("A locked contact is gone.");
  const plan = planMerge(kept, other, input);
  await endRepeatedMail(tx, kept.id, other.id);
  await moveWaitingMail(tx, kept.id, other.id);
  await moveRecords(tx, kept, other, plan);
  await mergeChoices(tx, ctx, kept, other, plan);
  await rememberMerged(tx, ctx, kept, other, plan);
  await tx.delete(contacts).where(eq(contacts.id, other.id));
  await changeKept(tx, ctx, kept, plan);
  await tell(tx, ctx, kept, other, plan);
  const details = { other: encodeId("contact", other.id) };
  await audit(tx, ctx, "merge.contact", encodeId("contact", kept.id), details);
  return { kept: kept.id, other: other.id };
}

/**
 * Makes one contact of two (each by id or address): the first stays, with what the other had, and the other is gone.
 * Whatever either has objected to stays objected to. Repeating it changes nothing. Throws NOT_FOUND, VALIDATION_ERROR
 * (the same contact, or too much together) and CONFLICT (a campaign is choosing between them). Needs editor.
 */
export async function mergeContacts(ctx: Context, id: string, input: MergeInput): Promise<Contact> {
  requireRole(ctx, "editor");
  const { kept, other } = await retryConflicts(() =>
    ctx.db.transaction((tx) => merge(tx, ctx, id, input)),
  );
  if (other !== null) {
    // The merge stands: what is not moved now is moved by a worker.
    await moveMail(ctx.db, other).catch((error: unknown) => {
      log.error({ code: errorCode(error) }, "Mail of a merged contact could not be moved.");
    });
  }
  return getContact(ctx, encodeId("contact", kept));
}
