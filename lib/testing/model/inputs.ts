import fc from "fast-check";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import type { Model, PersonFields } from "./state";

/* What steps are made of: few values, so that requests meet. */

const plain = [
  "ada@example.com",
  "bob@example.com",
  "cat@example.org",
  "dan@example.org",
  "eve@sub.example.org",
  "fay@example.net",
];
const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
/** Now and then in another spelling. */
export const addresses = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plain) },
  fc.constantFrom(...plain.map(capital)),
);
/** What can be suppressed: addresses and whole domains. */
export const subjects = fc.oneof(
  { weight: 3, arbitrary: addresses },
  fc.constantFrom("@example.org", "@example.net", "@Example.com"),
);

const tags = fc.constantFrom("vip", "new", "Vip");
const plans = fc.constantFrom("free", "pro");
const seats = fc.constantFrom<string | number>(5, 50, "50", "many");
const data = fc.record(
  {
    plan: fc.option(plans),
    seats: fc.option(seats),
    trial: fc.option(fc.boolean()),
  },
  { requiredKeys: [] },
);
export const personFields: fc.Arbitrary<PersonFields> = fc.record(
  {
    firstName: fc.constantFrom("Ada", "Bob", ""),
    lastName: fc.constantFrom("Byron", ""),
    tags: fc.array(tags, { maxLength: 3 }),
    data,
  },
  { requiredKeys: [] },
);
export const nameAndTags = fc.record(
  {
    firstName: fc.constantFrom("Ada", "Bob"),
    tags: fc.array(tags, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** What a request says about somebody's consent: mostly nothing. */
export const consents = fc.oneof(
  { weight: 3, arbitrary: fc.constant<PersonFields>({}) },
  fc.constantFrom<PersonFields>(
    { subscribed: true },
    { subscribed: false },
    { unsubscribed: true },
    { unsubscribed: false },
  ),
);
/** The same of an upsert, which can say whether people who left are to come back. */
export const upsertConsents = fc.oneof(
  { weight: 5, arbitrary: consents },
  fc.constantFrom<PersonFields>(
    { subscribed: true, resubscribe: false },
    { unsubscribed: false, resubscribe: false },
    { subscribed: true, resubscribe: true },
  ),
);

/** Chooses one of however many there are when the step is taken. */
export const turns = fc.nat({ max: 11 });
export const inTurn = <Item>(items: readonly Item[], turn: number): Item | undefined =>
  items[turn % items.length];

/** A condition whose list is only known when the step is taken. */
type Condition = SegmentFilter | { list: number; op: "eq" | "neq" | "contains" | "not_contains" };
interface Group {
  and?: Part[];
  or?: Part[];
}
type Part = Condition | Group;

const compared = (field: string, ops: SegmentFilter["op"][], values: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...ops), values).map(([op, value]) => ({ field, op, value }));
const present = (field: string) =>
  fc.boolean().map((value) => ({ field, op: "exists" as const, value }));
const conditions = fc.oneof(
  compared("email", ["eq", "neq"], addresses),
  compared("email", ["contains", "not_contains", "ends_with"], fc.constantFrom("example.org", "B")),
  compared("firstName", ["eq", "neq", "contains", "starts_with"], fc.constantFrom("Ada", "a")),
  compared("subscribed", ["eq", "neq"], fc.boolean()),
  compared("tags", ["eq", "neq", "contains", "not_contains"], tags),
  compared("tags", ["in"], fc.array(tags, { minLength: 1, maxLength: 2 })),
  compared("data.plan", ["eq", "neq", "contains", "not_contains"], plans),
  compared("data.plan", ["in"], fc.array(plans, { minLength: 1, maxLength: 2 })),
  compared("data.seats", ["eq", "neq", "gt", "lt"], fc.constantFrom(5, 20, "50")),
  compared("data.trial", ["eq", "neq"], fc.boolean()),
  ...["firstName", "tags", "data.plan", "data.trial", "list"].map(present),
) as fc.Arbitrary<SegmentFilter>;
const memberships = fc.record({
  list: turns,
  op: fc.constantFrom("eq", "neq", "contains", "not_contains"),
}) as fc.Arbitrary<Condition>;

export const filters = fc.letrec<{ group: Group; part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    { weight: 3, arbitrary: conditions },
    { weight: 2, arbitrary: memberships },
    { weight: 2, arbitrary: tie("group") },
  ),
  group: fc.oneof(
    fc.array(tie("part"), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
  ),
})).group;

/** The filter with the lists that there are now; about a list that never was, where there is none. */
export function filterFor(model: Model, part: Part): SegmentFilter {
  if ("list" in part) {
    const list = inTurn(model.lists, part.list)?.id ?? "lst_01kat4rz8hfd2b7z1cm4x5n8qk";
    return { field: "list", op: part.op, value: list };
  }
  const { and, or } = part;
  if (and) return { and: and.map((one) => filterFor(model, one)) };
  if (or) return { or: or.map((one) => filterFor(model, one)) };
  return part;
}
