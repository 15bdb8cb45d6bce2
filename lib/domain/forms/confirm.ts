import { and, eq, sql } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { contacts, formSignUps, subscribers } from "@/db/schema";
import { keepEvidence, type Evidence } from "@/lib/domain/contacts/consent-changes";
import type { ConfirmationState, ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { encodeId } from "@/lib/ground/ids/ids";
import { contactToken, readSignUpToken } from "@/lib/mail/tracking/tokens";
import { countForms } from "./figures";
import { loadPublicForm, type PublicForm } from "./public-form";
import { subscribeBy, type SignUpRow } from "./subscribe";

/** A link that asks to confirm works this long after its mail. */
const confirmationDays = 30;

/** Where the link of a sign-up stands. */
export interface SignUpConfirmation {
  state: ConfirmationState;
  brand: ProjectBrand;
  /** What they signed up for. */
  name: string;
  email: string;
  language: string;
  /** Whom the link made a subscriber, as they are now; null: there is no such contact. */
  person: {
    /** Of their preferences. */
    token: string;
    /** Still gets what they signed up for. */
    subscribed: boolean;
    /** What they signed up for, if it is a list, and null for all that the project sends. */
    listId: string | null;
  } | null;
}

interface Found {
  signUp: SignUpRow;
  fresh: boolean;
  form: PublicForm;
}

async function find(executor: Executor, id: string, lock = false): Promise<Found | null> {
  const query = executor
    .select({
      signUp: formSignUps,
      fresh: sql<boolean>`${formSignUps.createdAt}
        > app_now() - make_interval(days => ${confirmationDays})`,
    })
    .from(formSignUps)
    .where(eq(formSignUps.id, id));
  const [found] = await (lock ? query.for("update") : query);
  if (!found) return null;
  const { formId } = found.signUp;
  const form = await loadPublicForm(executor, formId, encodeId("form", formId));
  return form && { ...found, form };
}

async function findPerson(
  executor: Executor,
  { signUp, form }: Found,
): Promise<SignUpConfirmation["person"]> {
  const { listId } = form.row;
  const [contact] = await executor
    .select({ id: contacts.id, consent: contacts.consent, status: subscribers.status })
    .from(contacts)
    .leftJoin(
      subscribers,
      and(eq(subscribers.contactId, contacts.id), sql`${subscribers.listId} = ${listId}::uuid`),
    )
    .where(
      sql`${contacts.projectId} = ${signUp.projectId}
        and lower(${contacts.email}) = lower(${signUp.email})`,
    );
  if (!contact) return null;
  const { id, consent, status } = contact;
  return {
    token: contactToken(id, listId ?? undefined),
    subscribed: consent === "subscribed" && (listId === null || status === "subscribed"),
    listId: listId && encodeId("list", listId),
  };
}

async function toConfirmation(executor: Executor, found: Found): Promise<SignUpConfirmation> {
  const { signUp, fresh, form } = found;
  const used = signUp.confirmedAt !== null;
  return {
    state: used ? "used" : fresh ? "open" : "expired",
    brand: form.brand,
    name: form.subject,
    email: signUp.email,
    language: signUp.language,
    person: used ? await findPerson(executor, found) : null,
  };
}

/** What the link of a sign-up asks, and where it stands. Changes nothing. null: there is no such sign-up. */
export async function getSignUp(db: Database, token: string): Promise<SignUpConfirmation | null> {
  const id = readSignUpToken(token);
  const found = id && (await find(db, id));
  return found ? toConfirmation(db, found) : null;
}

/** Subscribes the person who signed up, once; anything they have left since stays left. null: there is no such sign-up. */
export async function confirmSignUp(
  db: Database,
  token: string,
  evidence: Evidence,
): Promise<SignUpConfirmation | null> {
  const id = readSignUpToken(token);
  if (!id) return null;
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      const found = await find(tx, id, true);
      if (!found) return null;
      const { signUp, fresh, form } = found;
      if (signUp.confirmedAt !== null || !fresh) return toConfirmation(tx, found);
      const { projectId, formId, textHash, ipAddress, userAgent } = signUp;
      const by = { actorId: null, formId };
      const sent = { ...by, origin: "link", textHash, ipAddress, userAgent } as const;
      const kept = await keepEvidence(tx, projectId, evidence);
      const confirmed = { ...by, origin: "confirmation", ...kept } as const;
      const subscribed = await subscribeBy(tx, form.row, signUp, { sent, confirmed });
      if (!subscribed) return { ...(await toConfirmation(tx, found)), state: "gone" as const };
      const [changed] = await tx
        .update(formSignUps)
        .set({ confirmedAt: sql`app_now()` })
        .where(eq(formSignUps.id, id))
        .returning();
      await countForms(tx, [{ formId, figure: "confirmed" }]);
      return toConfirmation(tx, { ...found, signUp: changed ?? signUp });
    }),
  );
}
