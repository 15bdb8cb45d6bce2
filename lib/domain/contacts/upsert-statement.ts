import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Transaction } from "@/db/client";
import type { Consent, ConsentOrigin } from "@/db/enums";
import { assignments, insertSelectedAs } from "@/db/names";
import { contacts } from "@/db/schema";
import { newId } from "@/lib/ground/ids/ids";
import { toldContactEvents, wakeDeliveries } from "@/lib/ground/events/emit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { normalizeAddress } from "@/lib/mail/address";
import { whoChanges } from "./changing";
import { writtenConsentChanges, type ChangedBy } from "./consent-changes";
import { forgottenAddress, forgottenHash, restoredSuppressions } from "./forgotten";
import { contactColumns, contactKey, type ContactRow, lockedContact } from "./rows";
import type { ContactInput } from "./schema";

/** The consent a request asks for; null when it does not say. */
export function askedConsent(input: {
  subscribed?: boolean | undefined;
  unsubscribed?: boolean | undefined;
}): Consent | null {
  const subscribed =
    input.subscribed ?? (input.unsubscribed === undefined ? undefined : !input.unsubscribed);
  if (subscribed === undefined) return null;
  return subscribed ? "subscribed" : "unsubscribed";
}

/** One address's part of an upsert; null means "keep". */
interface UpsertInput {
  project_id: string;
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  consent: Consent | null;
  /** The consent a new contact gets when the request does not say. */
  new_consent: Consent;
  /** Whether "subscribed" leaves people who have unsubscribed as they are. */
  keeps_unsubscribed: boolean;
  tags: string[] | null;
  data: Record<string, unknown>;
  removed: string[];
  forgotten: string;
  origin: ConsentOrigin;
  actor_id: string | null;
}

export const keyOf = (row: { project_id: string; email: string }) =>
  `${row.project_id} ${row.email.toLowerCase()}`;

export function toUpsertInput(
  projectId: string,
  input: ContactInput,
  by: ChangedBy,
  newConsent: Consent = "subscribed",
): UpsertInput {
  const email = normalizeAddress(input.email) ?? input.email;
  const entries = Object.entries(input.data ?? {});
  return {
    project_id: projectId,
    id: newId(projectId),
    email,
    first_name: input.firstName?.trim() ?? null,
    last_name: input.lastName?.trim() ?? null,
    consent: askedConsent(input),
    new_consent: newConsent,
    keeps_unsubscribed: input.resubscribe === false,
    tags: input.tags ? [...new Set(input.tags)] : null,
    data: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    removed: entries.filter(([, value]) => value === null).map(([key]) => key),
    forgotten: forgottenHash(projectId, email),
    origin: by.origin,
    actor_id: by.actorId,
  };
}

const speaksOfConsent = (input: ContactInput) => askedConsent(input) !== null;

/**
 * What two inputs for one address say of consent together. One that leaves people who have unsubscribed as they are
 * says nothing new after another that decides.
 */
function mergeConsent(
  before: ContactInput,
  after: ContactInput,
): Pick<ContactInput, "subscribed" | "unsubscribed" | "resubscribe"> {
  const decides =
    speaksOfConsent(after) && !(after.resubscribe === false && speaksOfConsent(before));
  const { subscribed, unsubscribed, resubscribe } = decides ? after : before;
  return { subscribed, unsubscribed, resubscribe };
}

/** The same address twice in one call: the later fields win, as if sent one after the other. */
export function mergeRepeats(inputs: readonly ContactInput[]): ContactInput[] {
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
            ...mergeConsent(before, input),
            email: before.email,
            ...(before.data ? { data: { ...before.data, ...input.data } } : {}),
          }
        : input,
    );
  }
  return [...byAddress.values()];
}

const givenTagsOr = (kept: SQL) => sql`case
  when wanted.tags is null or wanted.tags = 'null' then ${kept}
  else array(select jsonb_array_elements_text(wanted.tags)) end`;

export interface UpsertRow extends ContactRow {
  project_id: string;
  created: boolean;
  /** The consent of a contact that existed; null when it did not. */
  before: Consent | null;
}

/** What became of each contact's subscription, and who did it; `settled` and `wanted` come before it. */
const rememberedConsent = writtenConsentChanges(
  sql`(select settled.project_id, settled.id as contact_id, settled.before, settled.consent,
      wanted.origin, wanted.actor_id
    from settled join wanted
      on wanted.project_id = settled.project_id and wanted.key = lower(settled.email)) one`,
  { origin: sql`origin`, actorId: sql`actor_id` },
);

const whoChange = (inputs: readonly UpsertInput[]) =>
  whoChanges(
    inputs.map((one) => ({
      key: keyOf(one),
      by: { origin: one.origin, actorId: one.actor_id },
    })),
  );

/**
 * Brings each contact in line with its input, once, and notifies the webhooks. Rows come back in no particular
 * order.
 */
export async function upsertOnce(
  tx: Transaction,
  inputs: readonly UpsertInput[],
): Promise<UpsertRow[]> {
  let waiting = inputs;
  const done: UpsertRow[] = [];
  // A contact that somebody else creates between our look-up and our insert is found the next time round.
  while (waiting.length > 0) {
    const rows = await executePrepared<UpsertRow>(
      tx,
      sql`
      with wanted as materialized (
        select *, lower(email) as key
        from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as one(project_id uuid, id uuid,
          email text, first_name text, last_name text, consent text, new_consent text, keeps_unsubscribed bool, tags jsonb,
          data jsonb, removed jsonb, forgotten text, origin text, actor_id uuid)
      ), who as materialized (select ${whoChange(waiting)}), locked as materialized (
        -- In the order of the key, as every statement locks them: two bulk calls must not deadlock.
        select existing.id, existing.consent as before, wanted.project_id, wanted.key
        from (select project_id, key from wanted order by project_id, key) wanted
        cross join lateral ${lockedContact(sql`wanted.project_id`, sql`wanted.key`)} existing
      ), changed as (
        update ${contacts} ${c} set ${assignments(contacts, {
          firstName: sql`coalesce(wanted.first_name, ${c.firstName})`,
          lastName: sql`coalesce(wanted.last_name, ${c.lastName})`,
          consent: sql`case
            when keeps_unsubscribed and locked.before = 'unsubscribed' then locked.before
            else coalesce(wanted.consent, ${c.consent}) end`,
          tags: givenTagsOr(sql`${c.tags}`),
          data: sql`(${c.data} || wanted.data) - array(select jsonb_array_elements_text(wanted.removed))`,
          updatedAt: sql`app_now()`,
        })}
        from locked join wanted using (project_id, key) cross join who
        where ${c.id} = locked.id
        returning ${c.projectId}, ${contactColumns}, false as created, locked.before
      ), inserted as (
        ${insertSelectedAs(contacts, sql` as ${c}`, {
          id: sql`wanted.id`,
          projectId: sql`wanted.project_id`,
          email: sql`wanted.email`,
          firstName: sql`coalesce(wanted.first_name, '')`,
          lastName: sql`coalesce(wanted.last_name, '')`,
          consent: sql`case
            when forgotten.hash is null then coalesce(wanted.consent, wanted.new_consent)
            when keeps_unsubscribed then 'unsubscribed'
            else coalesce(wanted.consent, 'unsubscribed') end`,
          tags: givenTagsOr(sql`'{}'`),
          data: sql`wanted.data`,
        })}
        from wanted left join lateral
          ${forgottenAddress(sql`wanted.project_id`, sql`wanted.forgotten`)} forgotten on true
        where not exists (select from locked
          where locked.project_id = wanted.project_id and locked.key = wanted.key)
        order by wanted.project_id, wanted.key
        on conflict (${contactKey}) do nothing
        returning ${c.projectId}, ${contactColumns}, true as created, null::text as before
      ), returned as (
        select inserted.project_id, inserted.email, wanted.forgotten
        from inserted join wanted
          on wanted.project_id = inserted.project_id and wanted.key = lower(inserted.email)
      ), ${restoredSuppressions("returned")},
      settled as (
        select * from changed union all select * from inserted
      ), remembered as (
        ${rememberedConsent}
      ), told as (
        select one.event, '{}'::jsonb as more, settled.*
        from settled cross join lateral (
          select case when created then 'contact.created' else 'contact.updated' end as event
          union all
          select 'contact.' || consent where before <> consent and consent <> 'never'
        ) one
      ), ${toldContactEvents(sql`told`)}
      select settled.*, ${wakeDeliveries(sql`contacts_told`)} as woken from settled`,
    );
    done.push(...rows);
    const settled = new Set(rows.map(keyOf));
    waiting = waiting.filter((one) => !settled.has(keyOf(one)));
  }
  return done;
}
