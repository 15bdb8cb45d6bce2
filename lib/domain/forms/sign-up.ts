import { and, eq, inArray, sql } from "drizzle-orm";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import type { Database, Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { contacts, formSignUps, subscribers, topicDepartures } from "@/db/schema";
import { findForgotten, isAddressBlocked } from "@/lib/domain/contacts/blocked";
import { keepEvidence, type Evidence } from "@/lib/domain/contacts/consent-changes";
import { newId } from "@/lib/ground/ids/ids";
import { announce } from "@/lib/ground/queue/announce";
import { giveBackToRate, takeFromRate } from "@/lib/ground/rate-limit";
import { sign } from "@/lib/ground/secrets";
import { foldAddress } from "@/lib/mail/address";
import type { Entry } from "./entry";
import { countForms } from "./figures";
import { askToConfirm } from "./mail";
import type { PublicForm } from "./public-form";
import { subscribeBy } from "./subscribe";

/*
 * A sign-up is kept apart from the contact until the person has confirmed: posting somebody's address
 * changes nothing we know about them. Whatever the outcome, the caller gets the same answer.
 */

const day = 24 * 60 * 60;
/** How often one address gets mail because of forms, whoever submits them. */
const mailLimits = {
  /** For one form: submitting it again sends nothing. */
  form: { limit: 1, windowSeconds: 10 * 60 },
  project: { limit: 3, windowSeconds: day },
  installation: { limit: 10, windowSeconds: day },
};

/** One mailbox, however it is written: an address with a + tag belongs to the same person. */
function mailboxOf(email: string): string {
  const address = foldAddress(email);
  const at = address.lastIndexOf("@");
  const plus = address.indexOf("+");
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}

/** What an address's limits are counted under. Only a keyed hash of it is stored. */
function subjectsOf({ row }: PublicForm, email: string) {
  const mailbox = sign("form-mail", mailboxOf(email));
  return {
    form: `form-mail:${row.id}:${mailbox}`,
    project: `form-mail:${row.projectId}:${mailbox}`,
    installation: `form-mail:${mailbox}`,
  };
}

/** Whether one more mail may go to the address, which then counts. */
async function mayMail(db: Database, subjects: ReturnType<typeof subjectsOf>): Promise<boolean> {
  for (const scope of ["form", "project", "installation"] as const) {
    const { allowed } = await takeFromRate(db, { subject: subjects[scope], ...mailLimits[scope] });
    if (!allowed) return false;
  }
  return true;
}

/**
 * Whether somebody may be signed up without confirming: not if they were deleted, or have left what the form is for or
 * one of its topics.
 */
async function neverLeft(tx: Transaction, { row }: PublicForm, email: string): Promise<boolean> {
  const { projectId, listId, topicIds } = row;
  const [contact] = await tx
    .select({ id: contacts.id, consent: contacts.consent, status: subscribers.status })
    .from(contacts)
    .leftJoin(
      subscribers,
      and(
        eq(subscribers.contactId, contacts.id),
        listId === null ? sql`false` : eq(subscribers.listId, listId),
      ),
    )
    .where(hasAddress(projectId, email));
  if (contact?.consent === "unsubscribed" || contact?.status === "unsubscribed") return false;
  const left =
    contact && topicIds.length > 0
      ? await tx.$count(
          topicDepartures,
          and(
            eq(topicDepartures.contactId, contact.id),
            inArray(topicDepartures.topicId, topicIds),
          ),
        )
      : 0;
  if (left > 0) return false;
  const address = { projectId, email };
  return !(await findForgotten(tx, address)) && !(await isAddressBlocked(tx, address));
}

export interface SignUp {
  entry: Entry;
  /** BCP 47: the language in which the person read the form. */
  language: string;
  evidence: Evidence;
  /** Must confirm by mail, whatever the form says. */
  mustConfirm: boolean;
}

/**
 * Takes a sign-up: asks for confirmation, or subscribes at once if the form says so and the person has never left.
 * An address that has had enough mail from forms today is skipped. Throws DOMAIN_NOT_VERIFIED and PAYMENT_REQUIRED
 * when the project cannot send.
 */
export async function takeSignUp(
  db: Database,
  form: PublicForm,
  { entry, language, evidence, mustConfirm }: SignUp,
): Promise<void> {
  const { row } = form;
  const subjects = subjectsOf(form, entry.email);
  if (!(await mayMail(db, subjects))) return;
  const taken = retryConflicts(() =>
    db.transaction(async (tx) => {
      const kept = await keepEvidence(tx, row.projectId, evidence);
      const [signUp] = await tx
        .insert(formSignUps)
        .values({
          ...{
            id: newId(row.projectId),
            projectId: row.projectId,
            formId: row.id,
            language,
            ...entry,
          },
          textHash: kept.textHash ?? Buffer.alloc(0),
          ipAddress: evidence.ipAddress,
          userAgent: evidence.userAgent,
        })
        .returning();
      if (!signUp) throw new Error("An insert returned no row.");
      const counted = [{ formId: row.id, figure: "sent" as const }];
      const atOnce = !row.doubleOptIn && !mustConfirm && (await neverLeft(tx, form, entry.email));
      if (atOnce) {
        const sent = { origin: "link", actorId: null, formId: row.id, ...kept } as const;
        await subscribeBy(tx, row, signUp, { sent, confirmed: null });
        await tx
          .update(formSignUps)
          .set({ confirmedAt: sql`app_now()` })
          .where(eq(formSignUps.id, signUp.id));
        await countForms(tx, [...counted, { formId: row.id, figure: "confirmed" }]);
        return;
      }
      await askToConfirm(tx, form, signUp);
      await countForms(tx, counted);
    }),
  );
  try {
    await taken;
  } catch (error) {
    // Whoever tries again would be told that a mail is on its way, and none would be.
    for (const subject of Object.values(subjects)) await giveBackToRate(db, subject);
    throw error;
  }
  announce(db, "emails_due");
}
