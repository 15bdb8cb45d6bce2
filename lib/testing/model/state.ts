import type { CampaignStatus, Consent, SuppressionReason } from "@/db/enums";
import type { ContactState } from "@/lib/domain/contact-states/schema";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { matches } from "../plain-filter";

/*
 * What a project holds, as plain data, and what requests make of it, read word by word from what the API promises.
 * It shares no code with the product but types: model.db.test.ts compares the two.
 */

export interface ModelPerson {
  /** As the API has it; empty until it has answered. */
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  consent: Consent;
  tags: string[];
  data: Record<string, unknown>;
}

export interface ModelMember {
  id: string;
  contactId: string;
  status: "subscribed" | "unconfirmed" | "unsubscribed";
}

export interface ModelList {
  id: string;
  /** Whether it asks people to confirm. */
  confirms: boolean;
  members: ModelMember[];
}

export interface ModelSegment {
  id: string;
  filter: SegmentFilter;
}

/** Whom a campaign is for; everybody when both are null. */
export interface Target {
  listId: string | null;
  segmentId: string | null;
}

export interface ModelCampaign extends Target {
  id: string;
  subject: string;
  status: CampaignStatus;
  /** Ids of the people and memberships that there were when it was started. */
  present: { people: Set<string>; members: Set<string> };
  audienceDone: boolean;
  /** Cancelled after it was started, and its waiting mail has not been ended yet. */
  ending: boolean;
}

export interface ModelMail {
  /** As the API has it; null for a campaign's, whose answer does not name them. */
  id: string | null;
  subject: string;
  recipient: string;
  /** null: the person was deleted. */
  contactId: string | null;
  campaign: ModelCampaign | null;
  status: "PENDING" | "DELIVERED" | "FAILED";
  captured: boolean;
}

/** What a request can say about a person. */
export interface PersonFields {
  firstName?: string;
  lastName?: string;
  tags?: string[];
  data?: Record<string, unknown>;
  subscribed?: boolean;
  unsubscribed?: boolean;
  resubscribe?: boolean;
}

const keyOf = (email: string) => email.toLowerCase();
const domainOf = (email: string) => `@${keyOf(email).split("@")[1] ?? ""}`;

function askedConsent({ subscribed, unsubscribed }: PersonFields): Consent | null {
  const wanted = subscribed ?? (unsubscribed === undefined ? undefined : !unsubscribed);
  if (wanted === undefined) return null;
  return wanted ? "subscribed" : "unsubscribed";
}

function setFields(person: ModelPerson, fields: PersonFields): void {
  person.firstName = fields.firstName ?? person.firstName;
  person.lastName = fields.lastName ?? person.lastName;
  if (fields.tags) person.tags = [...new Set(fields.tags)];
  const merged = Object.entries({ ...person.data, ...fields.data });
  person.data = Object.fromEntries(merged.filter(([, value]) => value !== null));
}

export class Model {
  readonly people: ModelPerson[] = [];
  readonly lists: ModelList[] = [];
  readonly segments: ModelSegment[] = [];
  readonly campaigns: ModelCampaign[] = [];
  readonly mails: ModelMail[] = [];
  /** By address or `@domain`, in lower case. */
  readonly suppressions = new Map<string, SuppressionReason>();
  /** Addresses that were deleted for good, and why each was suppressed then; null if it was not. */
  readonly #forgotten = new Map<string, SuppressionReason | null>();
  /** Addresses that objected to everything, and are no longer theirs who did. */
  readonly #objected = new Set<string>();
  /** Numbers names, and takes the looks at the product in turn. */
  count = 0;

  find(email: string): ModelPerson | undefined {
    return this.people.find((person) => keyOf(person.email) === keyOf(email));
  }

  withId(id: string | null): ModelPerson | undefined {
    return this.people.find((person) => person.id === id);
  }

  suppressionOf(email: string): SuppressionReason | null {
    return this.suppressions.get(keyOf(email)) ?? this.suppressions.get(domainOf(email)) ?? null;
  }

  stateOf({ email, consent }: ModelPerson): ContactState {
    const states = {
      subscribed: "reachable",
      unsubscribed: "unsubscribed",
      never: "never_subscribed",
    } as const;
    return this.suppressionOf(email) ?? states[consent];
  }

  isReachable(person: ModelPerson): boolean {
    return this.stateOf(person) === "reachable";
  }

  /** What an upsert makes of somebody's consent; of one who is new without a word about it: `newConsent`. */
  #consentAfter(email: string, fields: PersonFields, newConsent: Consent): Consent {
    const asked = askedConsent(fields);
    const before = this.find(email)?.consent;
    const hasLeft = before === "unsubscribed" || (!before && this.#forgotten.has(keyOf(email)));
    if (hasLeft && fields.resubscribe === false) return "unsubscribed";
    return asked ?? before ?? (hasLeft ? "unsubscribed" : newConsent);
  }

  /** Whether an upsert would bring back somebody who has left everything. */
  wouldLift(email: string, fields: PersonFields): boolean {
    return (
      this.find(email)?.consent === "unsubscribed" &&
      this.#consentAfter(email, fields, "subscribed") === "subscribed"
    );
  }

  /** Only the given fields change. */
  upsert(
    email: string,
    fields: PersonFields,
    newConsent: Consent = "subscribed",
  ): { person: ModelPerson; created: boolean } {
    const consent = this.#consentAfter(email, fields, newConsent);
    const present = this.find(email);
    const person = present ?? this.#add(email);
    person.consent = consent;
    setFields(person, fields);
    return { person, created: !present };
  }

  /** Somebody who was suppressed when they were deleted is so again. */
  #add(email: string): ModelPerson {
    const blank = { id: "", firstName: "", lastName: "", tags: [], data: {} };
    const person: ModelPerson = { ...blank, email, consent: "never" };
    this.people.push(person);
    this.#restoreSuppression(email);
    return person;
  }

  #restoreSuppression(email: string): void {
    const reason = this.#forgotten.get(keyOf(email));
    if (reason && !this.suppressions.has(keyOf(email))) this.suppressions.set(keyOf(email), reason);
    if (reason) this.#forgotten.set(keyOf(email), null);
  }

  /** Whoever objected at either address is not shaken off by a change of it. */
  change(
    person: ModelPerson,
    { email = person.email, ...fields }: PersonFields & { email?: string },
  ): void {
    const moves = keyOf(email) !== keyOf(person.email);
    if (moves && person.consent === "unsubscribed") {
      const former = keyOf(person.email);
      this.#objected.add(former);
      this.#forgotten.set(former, this.#forgotten.get(former) ?? null);
    }
    if (moves) this.#restoreSuppression(email);
    const objected = moves && this.#objected.has(keyOf(email));
    person.email = email;
    person.consent = askedConsent(fields) ?? (objected ? "unsubscribed" : person.consent);
    setFields(person, fields);
  }

  /** What one send said goes with the last of those it was for; each send has a subject of its own. */
  #forgetWords(subject: string): void {
    const sent = this.mails.filter((mail) => !mail.campaign && mail.subject === subject);
    if (sent.some(({ contactId }) => contactId !== null)) return;
    for (const mail of sent) mail.subject = "";
  }

  /** For good: what remains is why the address was suppressed, and that it is known. */
  erase(person: ModelPerson): void {
    const key = keyOf(person.email);
    const reason = this.suppressions.get(key) ?? this.#forgotten.get(key) ?? null;
    this.#forgotten.set(key, reason);
    if (person.consent === "unsubscribed") this.#objected.add(key);
    this.suppressions.delete(key);
    this.people.splice(this.people.indexOf(person), 1);
    for (const list of this.lists) {
      list.members = list.members.filter(({ contactId }) => contactId !== person.id);
    }
    for (const mail of this.mails.filter(({ contactId }) => contactId === person.id)) {
      if (mail.status === "PENDING") mail.status = "FAILED";
      Object.assign(mail, { contactId: null, captured: false });
      if (!mail.campaign) this.#forgetWords(mail.subject);
    }
  }

  suppress(subject: string): void {
    const isDomain = subject.startsWith("@");
    if (this.suppressions.has(keyOf(subject))) return;
    this.suppressions.set(keyOf(subject), isDomain ? "domain" : "manual");
  }

  memberOf(list: ModelList, person: ModelPerson): ModelMember | undefined {
    return list.members.find(({ contactId }) => contactId === person.id);
  }

  isSubscribedTo(list: ModelList, person: ModelPerson): boolean {
    return this.memberOf(list, person)?.status === "subscribed";
  }

  /** Joining a list turns "never asked" into subscribed; who left everything stays away. */
  setMembership(member: ModelMember, status: "subscribed" | "unsubscribed"): void {
    if (member.status === status) return;
    member.status = status;
    const person = this.withId(member.contactId);
    if (status === "subscribed" && person?.consent === "never") person.consent = "subscribed";
  }

  /** Who is in a segment, reachable or not. */
  matching(filter: SegmentFilter): ModelPerson[] {
    return this.people.filter((person) => {
      const lists = this.lists.filter((list) => this.isSubscribedTo(list, person));
      const seen = { ...person, lists: lists.map(({ id }) => id), createdAt: "", updatedAt: "" };
      return matches(filter, seen, "");
    });
  }

  /** Whom a campaign is for, reachable or not; undefined when its list or segment is gone. */
  chosenFor({ listId, segmentId }: Target): ModelPerson[] | undefined {
    if (segmentId !== null) {
      const segment = this.segments.find(({ id }) => id === segmentId);
      return segment && this.matching(segment.filter);
    }
    if (listId === null) return this.people;
    const list = this.lists.find(({ id }) => id === listId);
    return list && this.people.filter((person) => this.isSubscribedTo(list, person));
  }

  /** Whether a campaign under way keeps a list or segment from being deleted. */
  isInUse(id: string): boolean {
    return this.campaigns.some(
      ({ listId, segmentId, status }) =>
        [listId, segmentId].includes(id) && ["SENDING", "PAUSED"].includes(status),
    );
  }
}
