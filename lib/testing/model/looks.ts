import { expect } from "vitest";
import { contactStates } from "@/lib/domain/contact-states/schema";
import { inTurn } from "./inputs";
import type { Product } from "./product";
import { figuresOf } from "./sending";
import type { Model, ModelList, ModelPerson, ModelSegment, Target } from "./state";

/* What reads of the product are to say after whatever happened. */

type Look = (model: Model, product: Product) => Promise<void>;

/** These keys of each, in an order that does not depend on where they come from. */
function sorted<Key extends string>(
  items: readonly Record<Key, unknown>[],
  keys: readonly Key[],
): string[] {
  const rows = items.map((item) => keys.map((key) => item[key]));
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** A person as the API shows them. */
function shown(model: Model, person: ModelPerson) {
  const { id, email, firstName, lastName, consent, tags, data } = person;
  const subscribed = consent === "subscribed";
  return { id, email, firstName, lastName, subscribed, state: model.stateOf(person), tags, data };
}
type Shown = ReturnType<typeof shown>;

/** Nobody else, and everything about them but the times. */
export function expectPeople(
  model: Model,
  answered: readonly unknown[],
  people: readonly ModelPerson[],
): void {
  const ofId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  const expected = people.map((person) => shown(model, person)).sort(ofId);
  const found = (answered as (Shown & { createdAt: string; updatedAt: string })[]).map(
    ({ createdAt: _createdAt, updatedAt: _updatedAt, ...person }) => person,
  );
  expect(found.sort(ofId)).toEqual(expected);
}

/** How many of these people there are, by whether campaigns reach them. */
function counted(model: Model, people: readonly ModelPerson[]) {
  const states = people.map((person) => model.stateOf(person));
  const count = (state: string) => states.filter((one) => one === state).length;
  const excluded = contactStates.filter((state) => state !== "reachable");
  return {
    total: people.length,
    reachable: count("reachable"),
    excluded: Object.fromEntries(excluded.map((state) => [state, count(state)])),
  };
}

/** From one to five, in turn: most lists have several pages. */
const pageSize = (model: Model) => 1 + (model.count % 5);

const lookAtPeople: Look = async (model, product) => {
  const limit = pageSize(model);
  expectPeople(model, await product.pages("key", "contacts", limit), model.people);
  const byAddress = await product.pages<Shown>("key", "contacts?sort=-email", limit);
  expect(byAddress.map(({ email }) => email.toLowerCase())).toEqual(
    model.people
      .map(({ email }) => email.toLowerCase())
      .toSorted()
      .toReversed(),
  );
  const subscribed = model.people.filter(({ consent }) => consent === "subscribed");
  expectPeople(model, await product.pages("key", "contacts?subscribed=true", limit), subscribed);
  const tagged = model.people.filter(({ tags }) => tags.includes("vip"));
  expectPeople(model, await product.pages("key", "contacts?tag=vip", limit), tagged);
  const person = inTurn(model.people, model.count);
  if (!person) return;
  const path = `contacts/${encodeURIComponent(person.email.toUpperCase())}`;
  expectPeople(model, [await product.expect(200, "key", "GET", path)], [person]);
};

const memberKeys = ["id", "contactId", "email", "status", "state", "leftEverything"] as const;
type ShownMember = Record<(typeof memberKeys)[number], string>;

const lookAtList = async (model: Model, product: Product, list: ModelList) => {
  const path = `lists/${list.id}/subscribers`;
  const members = await product.pages<ShownMember>("session", path, pageSize(model));
  const expected = list.members.map((member) => {
    const person = model.withId(member.contactId);
    if (!person) throw new Error("A membership outlived its person in the model.");
    const { email, consent } = person;
    const outweighs = model.suppressionOf(email) !== null || consent === "unsubscribed";
    const state =
      outweighs || member.status === "subscribed" ? model.stateOf(person) : member.status;
    return { ...member, email, state, leftEverything: consent === "unsubscribed" };
  });
  expect(sorted(members, memberKeys)).toEqual(sorted(expected, memberKeys));
  const status = inTurn(["subscribed", "unconfirmed", "unsubscribed"], model.count) ?? "";
  const some = await product.pages("session", `${path}?status=${status}`, pageSize(model));
  expect(some).toHaveLength(list.members.filter((member) => member.status === status).length);
};

const lookAtLists: Look = async (model, product) => {
  const lists = await product.pages<{ id: string; members: Record<string, number> }>(
    "session",
    "lists",
    pageSize(model),
  );
  const expected = model.lists.map(({ id, members }) => {
    const count = (status: string) => members.filter((one) => one.status === status).length;
    const [subscribed, unconfirmed] = [count("subscribed"), count("unconfirmed")];
    return { id, members: { subscribed, unconfirmed, unsubscribed: count("unsubscribed") } };
  });
  expect(lists.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  for (const { id, members } of expected) {
    expect(lists.find((list) => list.id === id)?.members).toMatchObject(members);
  }
  const list = inTurn(model.lists, model.count);
  if (list) await lookAtList(model, product, list);
};

const lookAtSegment = async (model: Model, product: Product, { id, filter }: ModelSegment) => {
  const people = model.matching(filter);
  const { total, reachable, excluded } = counted(model, people);
  const preview = await product.expect(200, "key", "POST", "segments/preview", { filter });
  expect(preview).toMatchObject({ count: total, reachableCount: reachable, excluded });
  const members = await product.pages<Shown>("key", `segments/${id}/contacts`, pageSize(model));
  expectPeople(model, members, people);
  const chosen = await product.pages<Shown>("key", `contacts?segmentId=${id}`, pageSize(model));
  expectPeople(model, chosen, people);
};

const lookAtSegments: Look = async (model, product) => {
  const segments = await product.pages<{ id: string }>("key", "segments", pageSize(model));
  expect(sorted(segments, ["id"])).toEqual(sorted(model.segments, ["id"]));
  const segment = inTurn(model.segments, model.count);
  if (segment) await lookAtSegment(model, product, segment);
};

const lookAtSuppressions: Look = async (model, product) => {
  const found = await product.pages<{ email: string; reason: string }>(
    "key",
    "suppressions",
    pageSize(model),
  );
  const suppressed = found.map(({ email, reason }) => [email.toLowerCase(), reason]);
  expect(Object.fromEntries(suppressed)).toEqual(Object.fromEntries(model.suppressions));
  for (const { email } of model.people.slice(0, 2)) {
    const reason = model.suppressionOf(email);
    const path = `suppressions/${encodeURIComponent(email)}`;
    const answer = await product.ask("key", "GET", path);
    expect(answer).toMatchObject(reason ? { status: 200, body: { reason } } : { status: 404 });
  }
};

const lookAtAudience = async (model: Model, product: Product, target: Target) => {
  const chosen = model.chosenFor(target);
  if (!chosen) return;
  const { total, reachable: count, excluded } = counted(model, chosen);
  const { listId, segmentId } = target;
  const body = await product.expect(200, "session", "POST", "campaigns/audience", {
    listId,
    segmentId,
  });
  expect(body).toMatchObject({ total, count, excluded });
};

const lookAtCampaigns: Look = async (model, product) => {
  const campaigns = await product.pages<{ id: string }>("key", "campaigns", pageSize(model));
  expect(sorted(campaigns, ["id"])).toEqual(sorted(model.campaigns, ["id"]));
  for (const campaign of model.campaigns) {
    const { id, status, listId, segmentId } = campaign;
    expect(campaigns.find((one) => one.id === id)).toMatchObject({
      ...{ status, listId, segmentId },
      stats: figuresOf(model, campaign),
    });
  }
  const campaign = inTurn(model.campaigns, model.count);
  if (campaign) await lookAtAudience(model, product, campaign);
};

const lookAtMail: Look = async (model, product) => {
  interface Summary {
    id: string;
    source: string;
    subject: string;
    status: string;
    contact: { id: string; email: string } | null;
  }
  const all = await product.pages<Summary>("key", "emails", 10 * pageSize(model));
  // What lists write by themselves is not modelled.
  const ownIds = new Set(all.flatMap(({ id, source }) => (source === "WORKFLOW" ? [] : [id])));
  const keys = ["subject", "source", "status", "contact"] as const;
  const expected = model.mails.map(({ subject, status, campaign, contactId }) => {
    const person = model.withId(contactId);
    const contact = person ? { id: person.id, email: person.email } : null;
    return { subject, status, source: campaign ? "CAMPAIGN" : "TRANSACTIONAL", contact };
  });
  const emails = all.filter(({ id }) => ownIds.has(id));
  expect(sorted(emails, keys)).toEqual(sorted(expected, keys));
  const captured = await product.pages<{
    id: string;
    emailId: string;
    subject: string;
    to: string;
  }>("session", "captured", 10 * pageSize(model));
  const arrived = captured.filter(({ emailId }) => ownIds.has(emailId));
  const left = model.mails.filter(({ captured }) => captured);
  expect(arrived.map(({ subject, to }) => `${subject} to ${to}`).sort()).toEqual(
    left.map(({ subject, recipient }) => `${subject} to ${recipient}`).sort(),
  );
  expect(new Set(arrived.map(({ emailId }) => emailId)).size).toBe(arrived.length);
};

const looks = [
  lookAtPeople,
  lookAtLists,
  lookAtSegments,
  lookAtSuppressions,
  lookAtCampaigns,
  lookAtMail,
];

/** One of the looks, each in its turn. */
export async function glance(model: Model, product: Product): Promise<void> {
  model.count++;
  await inTurn(looks, model.count)?.(model, product);
}

/** Looks at everything there is. */
export async function lookAtAll(model: Model, product: Product): Promise<void> {
  for (const look of looks) await look(model, product);
  for (const list of model.lists) await lookAtList(model, product, list);
  for (const segment of model.segments) await lookAtSegment(model, product, segment);
  const everybody = { listId: null, segmentId: null };
  const targets = [everybody, ...model.lists.map(({ id }) => ({ listId: id, segmentId: null }))];
  for (const target of targets) await lookAtAudience(model, product, target);
  await product.pass();
  const segments = await product.pages<{ id: string; contactCount: number }>("key", "segments", 50);
  for (const { id, filter } of model.segments) {
    const { total, reachable } = counted(model, model.matching(filter));
    expect(segments.find((one) => one.id === id)).toMatchObject({
      contactCount: total,
      reachableCount: reachable,
    });
  }
}
