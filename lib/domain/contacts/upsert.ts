import type { Database, Transaction } from "@/db/client";
import type { Consent } from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { auditAll } from "@/lib/ground/audit";
import { coalesceFor } from "@/lib/ground/coalesce";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { consentActs } from "./consent";
import { changedBy } from "./consent-changes";
import { toContact, type ContactRow } from "./rows";
import { dataFault, type Contact, type ContactBulkAnswer, type ContactInput } from "./schema";
import { findHindrances } from "@/lib/domain/contact-states/state";
import { toUpsertInput, mergeRepeats, upsertInTurn, type UpsertRow } from "./upsert-statement";

/**
 * The contacts of the context's project, one for each input in their order, and the same for those of one address.
 * New ones that do not say otherwise get `newConsent`.
 */
export async function upsertRows(
  tx: Transaction,
  ctx: Pick<Context, "projectId" | "actor" | "platformTokenId">,
  inputs: readonly ContactInput[],
  newConsent: Consent = "subscribed",
): Promise<UpsertRow[]> {
  const { merged, placeOf } = await mergeRepeats(tx, inputs);
  const rows = await upsertInTurn(
    tx,
    merged.map((input) => toUpsertInput(ctx.projectId, input, changedBy(ctx), newConsent)),
  );
  // What the call made of each contact: as it was before the first input for it, and is after the last.
  const contacts = new Map<string, UpsertRow>();
  for (const row of rows) {
    const { created, before } = contacts.get(row.id) ?? row;
    contacts.set(row.id, { ...row, created, before });
  }
  return placeOf.flatMap((place) => contacts.get(rows[place]?.id ?? "") ?? []);
}

/** Throws VALIDATION_ERROR when the merged values exceed a contact's limits; `path` is the field that caused it. */
export function checkMerged({ data }: Pick<ContactRow, "data">, path: string): void {
  const fault = dataFault(data);
  if (fault) throw invalid(path, `${fault} together with what the contact already has`);
}

function hasUnsubscribed(email: string): AppError {
  const message = `${email} has unsubscribed, and adding the address does not change that: say whether the person has asked to come back.`;
  return new AppError("CONFLICT", message, [{ path: "resubscribe", message }]);
}

/** One request's contact. */
interface Asked {
  ctx: Context;
  input: ContactInput;
}

interface Answer {
  contact: Contact;
  created: boolean;
}

async function upsertAsked(db: Database, asked: readonly Asked[]): Promise<Answer[]> {
  return db.transaction(async (tx) => {
    const rows = await upsertInTurn(
      tx,
      asked.map(({ ctx, input }) => toUpsertInput(ctx.projectId, input, changedBy(ctx))),
    );
    const done = asked.map(({ ctx, input }, index) => {
      const row = rows[index];
      if (!row) throw new Error("An upsert returned no row.");
      checkMerged(row, "data");
      // A form for adding people says "subscribed" for everybody: that says nothing about this person.
      const lifted = row.before === "unsubscribed" && row.consent === "subscribed";
      if (ctx.session && lifted && !input.resubscribe) throw hasUnsubscribed(row.email);
      return { ctx, row };
    });
    const [hindrances] = await Promise.all([
      findHindrances(
        tx,
        rows.map(({ id }) => id),
      ),
      auditAll(
        tx,
        done.flatMap(({ ctx, row }) => [
          {
            ctx,
            action: row.created ? "create.contact" : "update.contact",
            target: encodeId("contact", row.id),
          },
          ...consentActs(ctx, row),
        ]),
      ),
    ]);
    return rows.map((row) => ({
      contact: toContact({ ...row, suppressed: null, ...hindrances.get(row.id) }),
      created: row.created,
    }));
  });
}

async function upsertGroup(db: Database, asked: Asked[]): Promise<(Answer | Error)[]> {
  try {
    return await retryConflicts(() => upsertAsked(db, asked));
  } catch (error) {
    // One request's fault must not refuse its neighbours.
    if (asked.length === 1) throw error;
    const alone = await Promise.allSettled(asked.map((one) => upsertGroup(db, [one])));
    return alone.map((one) =>
      one.status === "fulfilled" ? (one.value[0] as Answer) : (one.reason as Error),
    );
  }
}

const upsertShared = coalesceFor(upsertGroup, { concurrency: 2, largestBatch: 64 });

/**
 * Creates or changes the contact with this address: only the given fields change. Concurrent calls end up with one
 * contact, and share a transaction while the database is busy. Needs editor.
 */
export async function upsertContact(ctx: Context, input: ContactInput): Promise<Answer> {
  requireRole(ctx, "editor");
  const answer = await upsertShared(ctx.db, { ctx, input });
  if (answer instanceof Error) throw answer;
  return answer;
}

/** Upserts up to 1,000 contacts: all or nothing, answered in the order given. Needs editor. */
export async function upsertContacts(
  ctx: Context,
  inputs: readonly ContactInput[],
): Promise<ContactBulkAnswer> {
  requireRole(ctx, "editor");
  return retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const rows = await upsertRows(tx, ctx, inputs);
      const people = [...new Set(rows)];
      const created = people.filter((row) => row.created).length;
      for (const [index, row] of rows.entries()) {
        if (inputs[index]?.data) checkMerged(row, `contacts[${index}].data`);
      }
      const updated = people.length - created;
      await auditAll(tx, [
        ...people.flatMap((row) => consentActs(ctx, row)),
        { ctx, action: "upsert.contacts", target: null, details: { created, updated } },
      ]);
      return {
        created,
        updated,
        data: rows.map((row) => ({ id: encodeId("contact", row.id), email: row.email })),
      };
    }),
  );
}
