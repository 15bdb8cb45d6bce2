import { sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { Consent } from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { assignments, insertSelectedAs } from "@/db/names";
import { contacts } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { contactEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { normalizeAddress } from "@/lib/mail/address";
import { auditConsent } from "./consent";
import { forgottenAddress, forgottenHash, restoredSuppressions } from "./forgotten";
import { contactColumns, lockedContact, toContact, type ContactRow } from "./rows";
import { dataFault, type Contact, type ContactBulkAnswer, type ContactInput } from "./schema";
import { findSuppressedReason } from "@/lib/domain/contact-states/state";

/** The consent a request asks for; null: it does not say. */
export function askedConsent(input: {
  subscribed?: boolean | undefined;
  unsubscribed?: boolean | undefined;
}): Consent | null {
  const subscribed =
    input.subscribed ?? (input.unsubscribed === undefined ? undefined : !input.unsubscribed);
  if (subscribed === undefined) return null;
  return subscribed ? "subscribed" : "unsubscribed";
}

/** One address's part of an upsert: null stands for "keep". */
interface Given {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  consent: Consent | null;
  tags: string[] | null;
  data: Record<string, unknown>;
  removed: string[];
  forgotten: string;
}

function toGiven(projectId: string, input: ContactInput): Given {
  const email = normalizeAddress(input.email) ?? input.email;
  const entries = Object.entries(input.data ?? {});
  return {
    id: newId(),
    email,
    first_name: input.firstName?.trim() ?? null,
    last_name: input.lastName?.trim() ?? null,
    consent: askedConsent(input),
    tags: input.tags ? [...new Set(input.tags)] : null,
    data: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    removed: entries.filter(([, value]) => value === null).map(([key]) => key),
    forgotten: forgottenHash(projectId, email),
  };
}

/** The same address twice in one call: the later fields win, as if sent one after the other. */
function mergeRepeats(inputs: readonly ContactInput[]): ContactInput[] {
  const byAddress = new Map<string, ContactInput>();
  for (const input of inputs) {
    const key = (normalizeAddress(input.email) ?? input.email).toLowerCase();
    const before = byAddress.get(key);
    byAddress.set(
      key,
      before
        ? {
            ...before,
            ...input,
            ...(before.data ? { data: { ...before.data, ...input.data } } : {}),
          }
        : input,
    );
  }
  return [...byAddress.values()];
}

const givenTagsOr = (kept: SQL) => sql`case
  when given.tags is null or given.tags = 'null' then ${kept}
  else array(select jsonb_array_elements_text(given.tags)) end`;

interface UpsertRow extends ContactRow {
  made: boolean;
  /** The consent of a contact that was there; null: it was not. */
  before: Consent | null;
}

/**
 * Brings contacts to what is given, and tells the webhooks. Rows come back in no order. New
 * ones that do not say otherwise get `newConsent`.
 */
export async function upsertRows(
  tx: Transaction,
  projectId: string,
  inputs: readonly ContactInput[],
  newConsent: Consent = "subscribed",
): Promise<UpsertRow[]> {
  let waiting = mergeRepeats(inputs).map((input) => toGiven(projectId, input));
  const done: UpsertRow[] = [];
  // A contact that somebody else makes between our look and our insert is found the next time round.
  while (waiting.length > 0) {
    const rows = await tx.execute<UpsertRow>(sql`
      with given as materialized (
        select *, lower(email) as key
        from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as one(id uuid, email text,
          first_name text, last_name text, consent text, tags jsonb, data jsonb, removed jsonb,
          forgotten text)
      ), locked as materialized (
        -- In the order of the key, as every statement locks them: two bulk calls must not deadlock.
        select known.id, known.consent as before, given.key
        from (select key from given order by key) given
        cross join lateral ${lockedContact(projectId, sql`given.key`)} known
      ), changed as (
        update ${contacts} ${c} set ${assignments(contacts, {
          firstName: sql`coalesce(given.first_name, ${c.firstName})`,
          lastName: sql`coalesce(given.last_name, ${c.lastName})`,
          consent: sql`coalesce(given.consent, ${c.consent})`,
          tags: givenTagsOr(sql`${c.tags}`),
          data: sql`(${c.data} || given.data) - array(select jsonb_array_elements_text(given.removed))`,
          updatedAt: sql`app_now()`,
        })}
        from locked join given using (key)
        where ${c.id} = locked.id
        returning ${contactColumns}, false as made, locked.before
      ), inserted as (
        ${insertSelectedAs(contacts, sql` as ${c}`, {
          id: sql`given.id`,
          projectId: sql`${projectId}`,
          email: sql`given.email`,
          firstName: sql`coalesce(given.first_name, '')`,
          lastName: sql`coalesce(given.last_name, '')`,
          consent: sql`coalesce(given.consent,
            case when forgotten.hash is null then ${newConsent} else 'unsubscribed' end)`,
          tags: givenTagsOr(sql`'{}'`),
          data: sql`given.data`,
        })}
        from given left join lateral ${forgottenAddress(sql`${projectId}`, sql`given.forgotten`)}
          forgotten on true
        where not exists (select from locked where locked.key = given.key)
        order by given.key
        on conflict (project_id, lower(email)) do nothing
        returning ${contactColumns}, true as made, null::text as before
      ), returned as (
        select ${projectId}::uuid as project_id, inserted.email, given.forgotten
        from inserted join given on given.key = lower(inserted.email)
      ), ${restoredSuppressions("returned")},
      settled as (
        select * from changed union all select * from inserted
      ), told as (
        select ${projectId}::uuid as project_id, one.event, '{}'::jsonb as more, settled.*
        from settled cross join lateral (
          select case when made then 'contact.created' else 'contact.updated' end as event
          union all
          select 'contact.' || consent where before <> consent and consent <> 'never'
        ) one
      ), deliveries as (${contactEventDeliveries(sql`told`)})
      select settled.*, ${wakeDeliveries(sql`deliveries`)} as woken from settled`);
    done.push(...rows);
    const settled = new Set(rows.map((row) => row.email.toLowerCase()));
    waiting = waiting.filter((given) => !settled.has(given.email.toLowerCase()));
  }
  return done;
}

/** Throws VALIDATION_ERROR when what was merged has outgrown a contact; `path` is the field that did it. */
export function checkMerged({ data }: Pick<ContactRow, "data">, path: string): void {
  const fault = dataFault(data);
  if (fault) throw invalid(path, `${fault} together with what the contact has already`);
}

/**
 * Makes or changes the contact with this address: only given fields change. Concurrent calls end in one
 * contact. Needs editor.
 */
export async function upsertContact(
  ctx: Context,
  input: ContactInput,
): Promise<{ contact: Contact; created: boolean }> {
  requireRole(ctx, "editor");
  return retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const [row] = await upsertRows(tx, ctx.projectId, [input]);
      if (!row) throw new Error("An upsert returned no row.");
      checkMerged(row, "data");
      // A form for adding people says "subscribed" of everybody: that is no word on this person.
      if (ctx.session && row.before === "unsubscribed" && row.consent === "subscribed") {
        throw new AppError(
          "CONFLICT",
          `${row.email} has unsubscribed, and adding the address does not change that. If the person asked to come back, subscribe them on their own page.`,
        );
      }
      const suppressed = await findSuppressedReason(tx, ctx.projectId, row.email);
      const contact = toContact({ ...row, suppressed });
      await audit(tx, ctx, row.made ? "create.contact" : "update.contact", contact.id);
      if (row.before) await auditConsent(tx, ctx, row, row.before);
      return { contact, created: row.made };
    }),
  );
}

/** Upserts up to 1,000 contacts: all or nothing, answered in the order given. Needs editor. */
export async function upsertContacts(
  ctx: Context,
  inputs: readonly ContactInput[],
): Promise<ContactBulkAnswer> {
  requireRole(ctx, "editor");
  return retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const rows = await upsertRows(tx, ctx.projectId, inputs);
      const created = rows.filter((row) => row.made).length;
      const byAddress = new Map(rows.map((row) => [row.email.toLowerCase(), row]));
      const rowOf = (input: ContactInput) =>
        byAddress.get((normalizeAddress(input.email) ?? "").toLowerCase());
      for (const [index, input] of inputs.entries()) {
        const row = input.data && rowOf(input);
        if (row) checkMerged(row, `contacts[${index}].data`);
      }
      for (const row of rows) {
        if (row.before) await auditConsent(tx, ctx, row, row.before);
      }
      await audit(tx, ctx, "upsert.contacts", null, { created, updated: rows.length - created });
      return {
        created,
        updated: rows.length - created,
        data: inputs.flatMap((input) => {
          const row = rowOf(input);
          return row ? [{ id: encodeId("contact", row.id), email: row.email }] : [];
        }),
      };
    }),
  );
}
