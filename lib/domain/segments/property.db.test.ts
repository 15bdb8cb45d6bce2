import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { compileFilter } from "./compile";
import { matches, type Person } from "@/lib/testing/plain-filter";
import { isPeriodOperator, segmentOperators } from "./condition-schema";
import { segmentFilter, type SegmentFilter } from "./schema";

const database = useTestDatabase();
let projectId: string;
/** The clock of the statements stands still, so that times lie exactly on the bounds of periods. */
const now = "2024-03-01T12:00:00.500Z";
beforeAll(async () => {
  await database.db.execute(
    sql.raw(`create or replace function app_now() returns timestamptz language sql stable parallel safe
      as $$select timestamptz '${now}'$$`),
  );
  ({ projectId } = await makeProject(database.db));
});

/** Few and awkward, so that fields and values meet: cases, wildcards, look-alikes of other types. */
const words = fc.constantFrom(
  ...[
    "",
    "a",
    "A",
    "ä",
    "Ä",
    "ß",
    "ẞ",
    "Σ",
    "σ",
    "ς",
    "😀",
    "日本",
    "a%b",
    "a_b",
    "a\\b",
    "'",
    '"a"',
  ],
  ...["true", "false", "null", "abc-ABC", "bc-a"],
);
const numberTexts = fc.constantFrom(
  ...["5", "05", "5.0", "-5", "5.5", "1e3", "1000", " 5", "+5", ".5", "5.", "1e-7", "Infinity"],
);
const dateTexts = fc.constantFrom(
  ...["2024-02-29", "2023-02-29", "2024-03-01", "2024-02-29T12:00", "2024-02-29T23:30:00Z"],
  ...[
    "2024-03-01T01:00:00+02:00",
    "2024-02-29T12:00:00.5-07:00",
    "2024-02-29T12:00:60Z",
    "9999-12-31",
  ],
  ...[
    "2024-2-29",
    "2024-13-01",
    "24-02-29",
    "2024-0a-01",
    "2024-02-30T00:00Z",
    "0000-01-01",
    "0001-01-01",
  ],
  ...["2024-02-29T24:00Z", "2024-02-29T12:00+15:00", "2024-02-29T12:00-14:59", "2024-02-29 12:00"],
);
/** Around the bounds of periods, in several time zones; some are still to come. */
const recentTexts = fc.constantFrom(
  ...["2024-03-01T12:00:00.5Z", "2024-03-01T12:00:00.501Z", "2024-02-29T12:00:00.499999Z"],
  ...["2024-02-29T12:00:00.500Z", "2024-02-29T23:00:00.5+11:00", "2024-02-28T22:00:00.5-14:00"],
  ...[
    "2024-03-02",
    "2024-03-01",
    "2024-02-29T12:00",
    "2014-03-04",
    "2014-03-03",
    "2014-03-04T12:01",
  ],
);
const texts = fc.oneof(
  words,
  numberTexts,
  dateTexts,
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const numbers = fc.oneof(
  fc.constantFrom(0, 5, -5, 5.5, 1000, 2024, 1e21, 0.1, 1e-7),
  fc.integer({ min: -6, max: 6 }),
);
const scalars = fc.oneof(
  ...[words, numberTexts, dateTexts, recentTexts, texts, numbers],
  fc.boolean(),
);
const keys = fc.constantFrom("a", "b", "a b", "ä", "0", "'", "__proto__");
const json = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    scalars,
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie("any")), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
  ),
})).any;
const data = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: scalars }, json),
    fc.array(fc.tuple(keys, json), { maxLength: 3 }),
  )
  .map(([a, rest]) => Object.fromEntries([...rest, ["a", a]]) as Record<string, unknown>);

const moments = fc.constantFrom(
  "2024-02-29T00:00:00.000Z",
  "2024-02-29T12:00:00.500Z",
  "2024-02-29T23:30:00.000Z",
  "2024-03-01T00:00:00.001Z",
  "2024-03-01T00:00:00.001900Z",
  // A day and an hour ago, exactly and by a millisecond more.
  "2024-02-29T12:00:00.499Z",
  "2024-03-01T11:00:00.500Z",
  "2024-03-01T11:00:00.499Z",
  now,
);
const domains = ["Example.com", "a.io", "xn--mnchen-3ya.de"];
const people = fc.record({
  email: fc.constantFrom(...domains).map((domain) => `A%${domain}`),
  firstName: texts,
  lastName: texts,
  consent: fc.constantFrom("never", "subscribed", "unsubscribed"),
  tags: fc.uniqueArray(
    texts.filter((tag) => tag !== ""),
    { maxLength: 3 },
  ),
  data,
  createdAt: moments,
  updatedAt: moments,
}) satisfies fc.Arbitrary<Person>;

const fields = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("data.a", "data.a", "data.b", "data.a.b") },
  fc.constantFrom(
    "email",
    "email",
    "firstName",
    "lastName",
    "subscribed",
    "tags",
    "createdAt",
    "updatedAt",
  ),
  fc.array(keys, { minLength: 1, maxLength: 3 }).map((path) => `data.${path.join(".")}`),
);
const addresses = fc.constantFrom(
  "a.1@EXAMPLE.COM",
  "a.2@münchen.de",
  "example",
  "@a.io",
  "münchen",
);
const textual = ["email", "firstName", "lastName"];
const timed = ["createdAt", "updatedAt"];
const periods = fc.oneof(
  fc.constantFrom(1, 2, 3650).map((days) => ({ days })),
  fc.constantFrom(1, 24, 36).map((hours) => ({ hours })),
);
/** Whether a filter may ask it. */
function isAllowed({ field, op, value }: SegmentFilter): boolean {
  if (op === "at_least" || op === "at_most") return false;
  if (field?.startsWith("data.") === false) {
    if (op && isPeriodOperator(op)) return timed.includes(field);
    if (op === "starts_with" || op === "ends_with") return textual.includes(field) && value !== "";
  }
  return (op !== "starts_with" && op !== "ends_with") || value !== "";
}
const values = fc.oneof({ weight: 5, arbitrary: scalars }, moments, addresses);
const conditions = fc
  .record({ field: fields, op: fc.constantFrom(...segmentOperators), value: values })
  .filter(isAllowed)
  .chain(({ field, op, value }): fc.Arbitrary<SegmentFilter> => {
    if (isPeriodOperator(op)) return periods.map((period) => ({ field, op, ...period }));
    if (op === "exists") return fc.boolean().map((yes) => ({ field, op, value: yes }));
    if (op !== "in") return fc.constant({ field, op, value });
    return fc
      .array(values, { minLength: 1, maxLength: 3 })
      .map((all) => ({ field, op, value: all }));
  });
const filters = fc.letrec<{ group: SegmentFilter; part: SegmentFilter }>((tie) => ({
  part: fc.oneof({ maxDepth: 3, depthSize: "small" }, conditions, tie("group")),
  group: fc.oneof(
    fc.array(tie("part"), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
  ),
})).group;

/** Each with an address of its own. */
const distinct = (all: Person[]) =>
  all.map((person, index) => ({ ...person, email: person.email.replace("%", `.${index}@`) }));

async function insert(all: readonly Person[]): Promise<void> {
  const rows = all.map((person) => ({
    ...person,
    id: newUnownedId(),
    data: JSON.stringify(person.data),
  }));
  await database.db.execute(sql`
    insert into contacts (id, project_id, email, first_name, last_name, consent, tags, data,
      created_at, updated_at)
    select one.id, ${projectId}, one.email, one."firstName", one."lastName", one.consent,
      array(select jsonb_array_elements_text(one.tags)), one.data::jsonb, one."createdAt", one."updatedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(id uuid, email text, "firstName" text,
      "lastName" text, consent text, tags jsonb, data text, "createdAt" timestamptz,
      "updatedAt" timestamptz)`);
}

async function found(filter: SegmentFilter): Promise<string[]> {
  const rows = await database.db.execute<{ email: string; is_null: boolean }>(sql`
    select c.email from contacts c
    where c.project_id = ${projectId} and ${compileFilter(filter, projectId)}`);
  return rows.map(({ email }) => email).sort();
}

test("the SQL of any filter finds whom the plain reading of decisions finds", async () => {
  const property = fc.asyncProperty(
    fc.array(people, { minLength: 25, maxLength: 25 }).map(distinct),
    fc.array(filters, { minLength: 40, maxLength: 40 }),
    async (all, chosen) => {
      await database.db.execute(sql`delete from contacts where project_id = ${projectId}`);
      await insert(all);
      for (const subset of chosen) {
        const filter = segmentFilter.parse(subset);
        const expected = all
          .filter((person) => matches(filter, person, now))
          .map(({ email }) => email);
        expect(await found(filter), JSON.stringify(filter)).toEqual(expected.sort());
      }
    },
  );
  await fc.assert(property, { numRuns: 60, endOnFailure: true });
}, 120_000);
