import { eq, sql, type SQL } from "drizzle-orm";
import type { Consent, SuppressionReason } from "@/db/enums";
import { contacts, suppressions } from "@/db/schema";
import { c } from "./contact-alias";
import type { ContactState } from "./schema";
import { isPaused, suppressedReason } from "./state";
import { domainPart, notSuppressed, suppressesAddress } from "./suppressed";

/** Conditions on `contacts c` for one state, as stateOf decides it. */
export interface StateConditions {
  /** For those that are met on the way, each looked up. */
  each: SQL[];
  /** Those that lead an index to all of them, where these are few among many; null: `each` are such. */
  found: SQL[] | null;
  /** Those of them that an index has in the order of ids. */
  inOrder: SQL[];
}

const consentOf: Partial<Record<ContactState, Consent>> = {
  reachable: "subscribed",
  never_subscribed: "never",
  unsubscribed: "unsubscribed",
  paused: "subscribed",
};

/** Whether a contact who is subscribed, or is not, can have the state. */
export const canHaveState = (subscribed: boolean, state: ContactState): boolean =>
  consentOf[state] === undefined || (consentOf[state] === "subscribed") === subscribed;

/** SQL: the contact is one of these, which are looked up before, suppression by suppression. */
const oneOf = (projectId: string, reason: SuppressionReason, people: SQL): SQL => sql`
  ${c.id} = any(array(select person.id from ${suppressions} cross join lateral (${people}) person
    where ${suppressions.projectId} = ${projectId} and ${suppressions.reason} = ${reason}))`;

const ownAddress = sql`
  select ${c.id} from ${contacts} c where ${suppressesAddress(c.projectId, c.email)} limit 1`;

/** Found by the trigrams of the contacts' search. */
const atDomain = sql`
  select ${c.id} from ${contacts} c where ${c.projectId} = ${suppressions.projectId}
    and (${c.email} || ' ' || ${c.firstName} || ' ' || ${c.lastName})
      ilike '%' || lower(${suppressions.email}) || ' %'
    and lower(${suppressions.email}) = ${domainPart(c.email)}
    and (select true from ${suppressions} where ${suppressesAddress(c.projectId, c.email)}) is null`;

/** `contacts c` of the project that have the state. */
export function hasState(projectId: string, state: ContactState): StateConditions {
  const consent = consentOf[state];
  if (consent === undefined) {
    const reason = state as SuppressionReason;
    const people = reason === "domain" ? atDomain : ownAddress;
    return {
      each: [sql`${suppressedReason} = ${reason}`],
      found: [oneOf(projectId, reason, people)],
      inOrder: [],
    };
  }
  const inOrder = [eq(c.consent, consent)];
  const conditions = [...inOrder, notSuppressed(c.projectId, c.email)];
  if (state === "reachable") conditions.push(sql`not ${isPaused}`);
  if (state !== "paused") return { each: conditions, found: null, inOrder };
  const paused = [...conditions, sql`${c.pausedUntil} > app_now()`];
  return { each: paused, found: paused, inOrder };
}
