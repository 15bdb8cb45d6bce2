import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Transaction } from "@/db/client";
import type { Consent, ConsentOrigin } from "@/db/enums";
import { assignments, insertSelectedAs } from "@/db/names";
import { contacts } from "@/db/schema";
import { newId } from "@/lib/ground/ids/ids";
import { toldContactEvents, wakeDeliveries } from "@/lib/ground/events/emit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { normalizeAddress } from "@/lib/mail/address";
import { whoChanges, whoChangesEach } from "./changing";
import { writtenConsentChanges, type ChangedBy } from "./consent-changes";
import { forgottenAddress, forgottenHash, restoredSuppressions } from "./forgotten";
import { contactColumns, contactKey, type ContactRow, lockedContact, wasThere } from "./rows";
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

/**
 * The same for addresses that every database takes for one, whatever its locale: where I is not the capital of i, or
 * letters beyond ASCII have no capitals, lower() says so.
 */
const surelySame = (email: string) => email.replace(/[A-HJ-Z]/g, (letter) => letter.toLowerCase());

/** Inputs' addresses as this database lowers them. It is asked only where another might lower them otherwise. */
async function keysOf(tx: Transaction, inputs: readonly ContactInput[]): Promise<string[]> {
  const addresses = inputs.map(({ email }) => normalizeAddress(email) ?? email);
  const isDoubtful = (address: string) => /[I\u0080-\uffff]/.test(address);
  if (addresses.length === 1 || !addresses.some(isDoubtful)) return addresses.map(surelySame);
  const rows = await tx.execute<{ key: string }>(sql`
    select lower(address) as key
    from unnest(${sql.param(addresses)}::text[]) with ordinality as one(address, place) order by place`);
  return rows.map(({ key }) => key);
}

/**
 * The same address twice in one call: the later fields win, as if sent one after the other. `placeOf` has for each
 * input its place in `merged`.
 */
export async function mergeRepeats(
  tx: Transaction,
  inputs: readonly ContactInput[],
): Promise<{ merged: ContactInput[]; placeOf: number[] }> {
  const keys = await keysOf(tx, inputs);
  const places = new Map<string, number>();
  const merged: ContactInput[] = [];
  const placeOf = inputs.map((input, index) => {
    const key = keys[index] ?? input.email;
    const place = places.get(key) ?? merged.length;
    const before = merged[place];
    places.set(key, place);
    merged[place] = before
      ? {
          ...before,
          ...input,
          ...mergeConsent(before, input),
          email: before.email,
          ...(before.data ? { data: { ...before.data, ...input.data } } : {}),
        }
      : input;
    return place;
  });
  return { merged, placeOf };
}

const givenTagsOr = (kept: SQL) => sql`case
  when wanted.tags is null or wanted.tags = 'null' then ${kept}
  else array(select jsonb_array_elements_text(wanted.tags)) end`;

export interface UpsertRow extends ContactRow {
  project_id: string;
  /** That of the input it belongs to. */
  place: number;
  created: boolean;
  /** The consent of a contact that existed; null when it did not. */
  before: Consent | null;
}

/** What became of each contact's subscription, and who did it; `settled` and `wanted` come before it. */
const rememberedConsent = writtenConsentChanges(
  sql`(select settled.project_id, settled.id as contact_id, settled.before, settled.consent,
      wanted.origin, wanted.actor_id
    from settled join wanted using (place)) one`,
  { origin: sql`origin`, actorId: sql`actor_id` },
);

/** Of one origin, as nearly all are, it is said once instead of for each. */
function whoChange(inputs: readonly UpsertInput[]): SQL {
  const [first, ...others] = inputs;
  const isOne = others.every(
    (one) => one.origin === first?.origin && one.actor_id === first.actor_id,
  );
  return first && isOne
    ? sql`select ${whoChanges({ origin: first.origin, actorId: first.actor_id })}`
    : whoChangesEach(sql`wanted`);
}

/** Those that may be settled now; the database is not sent the others in vain. */
function firsts<Input extends UpsertInput>(waiting: readonly Input[]): Map<string, Input> {
  const byAddress = new Map<string, Input>();
  for (const one of waiting) {
    const key = `${one.project_id} ${surelySame(one.email)}`;
    if (!byAddress.has(key)) byAddress.set(key, one);
  }
  return byAddress;
}

/** How often in a row nothing may be settled because somebody else creates and deletes the same contacts. */
const mostIdleTurns = 10;

/**
 * Brings each contact in line with its input, in turn where several are for one address, and notifies the webhooks.
 * A row for each input, in their order.
 */
export async function upsertInTurn(
  tx: Transaction,
  inputs: readonly UpsertInput[],
): Promise<UpsertRow[]> {
  const rows: UpsertRow[] = [];
  let waiting = inputs.map((input, place) => ({ ...input, place }));
  let idleTurns = 0;
  // A contact that somebody else creates between our look-up and our insert is found the next time round.
  while (waiting.length > 0) {
    const settled = await upsertFirsts(tx, [...firsts(waiting).values()]);
    for (const row of settled) rows[row.place] = row;
    waiting = waiting.filter(({ place }) => rows[place] === undefined);
    idleTurns = settled.length === 0 ? idleTurns + 1 : 0;
    if (idleTurns === mostIdleTurns) throw new Error("An upsert returned no row.");
  }
  return rows;
}

/**
 * Upserts the first input of each address. Which those are, and whose a row is, only the database can say: what
 * lower() makes of a letter depends on its locale.
 */
const upsertFirsts = (
  tx: Transaction,
  waiting: readonly (UpsertInput & { place: number })[],
): Promise<UpsertRow[]> =>
  executePrepared<UpsertRow>(
    tx,
    sql`
      with wanted as materialized (
        select distinct on (project_id, lower(email)) *, lower(email) as key
        from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as one(place int, project_id uuid, id uuid,
          email text, first_name text, last_name text, consent text, new_consent text, keeps_unsubscribed bool, tags jsonb,
          data jsonb, removed jsonb, forgotten text, origin text, actor_id uuid)
        order by project_id, lower(email), place
      ), who as materialized (${whoChange(waiting)}), locked as materialized (
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
        returning ${c.projectId}, ${contactColumns}, false as created, locked.before, wanted.place
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
          where locked.project_id = wanted.project_id and locked.key = wanted.key) and not ${wasThere(sql`wanted.project_id`, sql`wanted.key`)}
        order by wanted.project_id, wanted.key
        on conflict (${contactKey}) do nothing
        returning ${c.projectId}, ${contactColumns}, true as created, null::text as before
      ), returned as (
        select inserted.project_id, inserted.email, wanted.forgotten
        from inserted join wanted using (id)
      ), ${restoredSuppressions("returned")},
      settled as (
        select * from changed
        union all select inserted.*, wanted.place from inserted join wanted using (id)
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
