import { and, eq, sql } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { contacts, formSignUps, subscribers } from "@/db/schema";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import { keepEvidence, type Evidence } from "@/lib/domain/contacts/consent-changes";
import type { ConfirmationState, ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { encodeId } from "@/lib/ground/ids/ids";
import { contactToken, readSignUpToken } from "@/lib/mail/tracking/tokens";
import { countForms } from "./figures";
import { loadPublicForm, type PublicForm } from "./public-form";
import { subscribeBy, type SignUpRow } from "./subscribe";

/** How long a confirmation link works after it was mailed. */
const confirmationDays = 30;

/** The state of a sign-up's confirmation link. */
export interface SignUpConfirmation {
  state: ConfirmationState;
  brand: ProjectBrand;
  /** What they signed up for. */
  name: string;
  email: string;
  language: string;
  /** The person whom the link subscribed, as they are now; null when there is no such contact. */
  person: {
    /** For their preference page. */
    token: string;
    /** Whether they still get what they signed up for. */
    subscribed: boolean;
    /** The list they signed up for; null for everything the project sends. */
    listId: string | null;
  } | null;
}

interface StoredSignUp {
  signUp: SignUpRow;
  fresh: boolean;
  form: PublicForm;
}

async function findSignUp(
  executor: Executor,
  id: string,
  lock = false,
): Promise<StoredSignUp | null> {
  const query = executor
    .select({
      signUp: formSignUps,
      fresh: sql<boolean>`${formSignUps.createdAt}
        > app_now() - make_interval(days => ${confirmationDays})`,
    })
    .from(formSignUps)
    .where(eq(formSignUps.id, id));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) return null;
  const { formId } = row.signUp;
  const form = await loadPublicForm(executor, formId, encodeId("form", formId));
  return form && { ...row, form };
}

async function findPerson(
  executor: Executor,
  { signUp, form }: StoredSignUp,
): Promise<SignUpConfirmation["person"]> {
  const { listId } = form.row;
  const [contact] = await executor
    .select({ id: contacts.id, consent: contacts.consent, status: subscribers.status })
    .from(contacts)
    .leftJoin(
      subscribers,
      and(eq(subscribers.contactId, contacts.id), sql`${subscribers.listId} = ${listId}::uuid`),
    )
    .where(hasAddress(signUp.projectId, signUp.email));
  if (!contact) return null;
  const { id, consent, status } = contact;
  return {
    token: contactToken(id, listId ?? undefined),
    subscribed: consent === "subscribed" && (listId === null || status === "subscribed"),
    listId: listId && encodeId("list", listId),
  };
}

async function toConfirmation(
  executor: Executor,
  stored: StoredSignUp,
): Promise<SignUpConfirmation> {
  const { signUp, fresh, form } = stored;
  const used = signUp.confirmedAt !== null;
  return {
    state: used ? "used" : fresh ? "open" : "expired",
    brand: form.brand,
    name: form.subject,
    email: signUp.email,
    language: signUp.language,
    person: used ? await findPerson(executor, stored) : null,
  };
}

/** What a confirmation link asks, and its state. Changes nothing. null when there is no such sign-up. */
export async function getSignUp(db: Database, token: string): Promise<SignUpConfirmation | null> {
  const id = readSignUpToken(token);
  const stored = id && (await findSignUp(db, id));
  return stored ? toConfirmation(db, stored) : null;
}

/**
 * Subscribes the person who signed up, once; anything they have left since stays left. null when there is no such
 * sign-up.
 */
export async function confirmSignUp(
  db: Database,
  token: string,
  evidence: Evidence,
): Promise<SignUpConfirmation | null> {
  const id = readSignUpToken(token);
  if (!id) return null;
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      const stored = await findSignUp(tx, id, true);
      if (!stored) return null;
      const { signUp, fresh, form } = stored;
      if (signUp.confirmedAt !== null || !fresh) return toConfirmation(tx, stored);
      const { projectId, formId, textHash, ipAddress, userAgent } = signUp;
      const by = { actorId: null, formId };
      const sent = { ...by, origin: "link", textHash, ipAddress, userAgent } as const;
      const kept = await keepEvidence(tx, projectId, evidence);
      const confirmed = { ...by, origin: "confirmation", ...kept } as const;
      const subscribed = await subscribeBy(tx, form.row, signUp, { sent, confirmed });
      if (!subscribed) return { ...(await toConfirmation(tx, stored)), state: "gone" as const };
      const [changed] = await tx
        .update(formSignUps)
        .set({ confirmedAt: sql`app_now()` })
        .where(eq(formSignUps.id, id))
        .returning();
      await countForms(tx, [{ formId, figure: "confirmed" }]);
      return toConfirmation(tx, { ...stored, signUp: changed ?? signUp });
    }),
  );
}
