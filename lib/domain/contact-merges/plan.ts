import type { Consent, SubscriberStatus, SuppressionReason } from "@/db/enums";
import { mostTags, dataFault } from "@/lib/domain/contacts/schema";
import { invalid } from "@/lib/ground/errors";
import type { MergeInput } from "./schema";

/** A membership of a list (uuids). */
interface Member {
  id: string;
  listId: string;
  list: string;
  status: SubscriberStatus;
  /** By tag of the list's own fields. */
  fields: Record<string, string>;
}

/** One of the two contacts, with what a merge is decided by. */
export interface Side {
  /** uuid */
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  consent: Consent;
  tags: string[];
  data: Record<string, unknown>;
  pausedUntil: Date | null;
  weekly: boolean;
  /** Why nothing is sent to the address. */
  suppressed: SuppressionReason | null;
  members: Member[];
  /** Topics (uuids) that the person wants no mail about. */
  topicsLeft: { id: string; name: string }[];
}

/** A membership as it will be, and what each of the two has now. */
export interface MergedMember extends Omit<Member, "id"> {
  kept: Member | null;
  other: Member | null;
}

type Person = Omit<Side, "id" | "members">;

/** The contact as it will be. */
export interface MergePlan extends Person {
  /** The address that gets no more mail. */
  formerEmail: string;
  /** An objection to mail at that address, which holds for the other one, too. */
  carried: "complaint" | "manual" | null;
  members: MergedMember[];
}

const consentOf = (both: readonly Consent[]): Consent => {
  if (both.includes("unsubscribed")) return "unsubscribed";
  return both.includes("subscribed") ? "subscribed" : "never";
};

/** From what lets most mail through to what lets none. */
const byStrictness: readonly SubscriberStatus[] = [
  ...(["subscribed", "unconfirmed", "bounced", "unsubscribed", "complained"] as const),
];

/**
 * That of the address that leaves comes second: mail bounced there, or a question was never answered there, and
 * nothing is sent there any more.
 */
function statusOf(stays: SubscriberStatus, leaves: SubscriberStatus): SubscriberStatus {
  if (leaves === "bounced" || leaves === "unconfirmed") return stays;
  return byStrictness.indexOf(leaves) > byStrictness.indexOf(stays) ? leaves : stays;
}

function mergedMembers(kept: Side, other: Side, keepsEmail: boolean): MergedMember[] {
  const others = new Map(other.members.map((member) => [member.listId, member]));
  const both = kept.members.map((mine): MergedMember => {
    const theirs = others.get(mine.listId) ?? null;
    others.delete(mine.listId);
    if (!theirs) return { ...mine, kept: mine, other: null };
    const [stays, leaves] = keepsEmail ? [mine, theirs] : [theirs, mine];
    return {
      ...{ listId: mine.listId, list: mine.list, kept: mine, other: theirs },
      status: statusOf(stays.status, leaves.status),
      fields: { ...theirs.fields, ...mine.fields },
    };
  });
  const joined = [...others.values()].map((theirs) => ({ ...theirs, kept: null, other: theirs }));
  return [...both, ...joined].sort((one, next) => one.list.localeCompare(next.list));
}

/** An objection holds for the person. That mail bounces, or that a domain gets none, is said of an address. */
const objection = (reason: SuppressionReason | null): "complaint" | "manual" | null =>
  reason === "complaint" || reason === "manual" ? reason : null;

type Attributes = Record<string, unknown>;

function mergedData(kept: Attributes, other: Attributes, { fields }: MergeInput): Attributes {
  const chosen = new Map(Object.entries(fields?.data ?? {}));
  for (const key of chosen.keys()) {
    if (!Object.hasOwn(kept, key) && !Object.hasOwn(other, key)) {
      throw invalid(`fields.data.${key}`, "is an attribute of neither contact");
    }
  }
  const keys = [...new Set([...Object.keys(kept), ...Object.keys(other)])];
  const data = Object.fromEntries(
    keys.flatMap((key) => {
      const side = chosen.get(key) ?? (Object.hasOwn(kept, key) ? "contact" : "other");
      const from = side === "contact" ? kept : other;
      return Object.hasOwn(from, key) ? [[key, from[key]]] : [];
    }),
  );
  if (dataFault(data)) {
    const message =
      "cannot be merged: together the two have more than 500 attributes, or 64 kB of them";
    throw invalid("other", message);
  }
  return data;
}

function mergedTags(kept: Side, other: Side): string[] {
  const tags = [...new Set([...kept.tags, ...other.tags])];
  if (tags.length > mostTags) {
    throw invalid("other", `cannot be merged: the two have more than ${mostTags} tags together`);
  }
  return tags;
}

const later = (one: Date | null, other: Date | null) =>
  one && other ? (one > other ? one : other) : (one ?? other);

function mergedTopics(kept: Side, other: Side): Side["topicsLeft"] {
  const topics = new Map(
    [...kept.topicsLeft, ...other.topicsLeft].map((topic) => [topic.id, topic]),
  );
  return [...topics.values()];
}

/**
 * What becomes of two contacts that are one person. Whatever either has objected to stays objected to; fields are the
 * kept one's unless they are chosen otherwise or only the other has one. Throws VALIDATION_ERROR when the two
 * together exceed what a contact may have.
 */
export function planMerge(kept: Side, other: Side, input: MergeInput): MergePlan {
  const { fields } = input;
  const keepsEmail = fields?.email !== "other";
  const [stays, leaves] = keepsEmail ? [kept, other] : [other, kept];
  const name = (field: "firstName" | "lastName") => {
    const side = fields?.[field] ?? (kept[field] === "" ? "other" : "contact");
    return side === "contact" ? kept[field] : other[field];
  };
  const carried = objection(stays.suppressed) ? null : objection(leaves.suppressed);
  return {
    email: stays.email,
    formerEmail: leaves.email,
    firstName: name("firstName"),
    lastName: name("lastName"),
    consent: consentOf([kept.consent, other.consent]),
    tags: mergedTags(kept, other),
    data: mergedData(kept.data, other.data, input),
    pausedUntil: later(kept.pausedUntil, other.pausedUntil),
    weekly: kept.weekly || other.weekly,
    suppressed: carried ?? stays.suppressed,
    carried,
    members: mergedMembers(kept, other, keepsEmail),
    topicsLeft: mergedTopics(kept, other),
  };
}
