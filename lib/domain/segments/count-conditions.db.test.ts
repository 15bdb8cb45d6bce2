import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { compileFilter } from "./compile";
import { countFields, type CountField } from "./condition-schema";
import { segmentFilter, type SegmentFilter } from "./schema";

const database = useTestDatabase();
/** The clock of the statements stands still, so that times lie exactly on the bounds of periods. */
const now = "2024-03-01T12:00:00.500Z";
const projects: string[] = [];
const tests: string[] = [];
const campaigns = [newUnownedId(), newUnownedId()];

beforeAll(async () => {
  await database.db.execute(
    sql.raw(`create or replace function app_now() returns timestamptz language sql stable parallel safe
      as $$select timestamptz '${now}'$$`),
  );
  for (let n = 0; n < 2; n++) {
    const { projectId } = await makeProject(database.db);
    const id = newUnownedId();
    await database.db.execute(sql`
      insert into messages (id, project_id, from_email, subject, test)
      values (${id}, ${projectId}, 'a@sandbox.test', 'Try', true)`);
    projects.push(projectId);
    tests.push(id);
  }
  await insertPeople();
});

const moments = fc.constantFrom(
  null,
  now,
  ...["2024-03-01T11:00:00.500Z", "2024-03-01T11:00:00.499Z", "2024-02-29T12:00:00.500Z"],
  ...["2024-02-29T12:00:00.499Z", "2024-02-01T00:00:00.000Z", "2024-01-31T23:59:59.999Z"],
  ...["2024-02-01T23:59:59.999Z", "2024-02-02T00:00:00.000Z", "2014-03-04T12:00:00.500Z"],
  ...["2014-03-04T12:00:00.499Z", "2000-01-01T00:00:00.000Z"],
);
const mails = fc.record({
  /** Which of the people of the project, or somebody who was deleted; the fifth gets none. */
  person: fc.constantFrom(0, 1, 2, 3, null),
  project: fc.constantFrom(0, 0, 0, 1),
  campaign: fc.constantFrom(null, 0, 1),
  test: fc.constantFrom(false, false, false, true),
  sentEmails: moments,
  openedEmails: moments,
  clickedEmails: moments,
  bouncedEmails: moments,
});
type Mail = typeof mails extends fc.Arbitrary<infer Value> ? Value : never;

const days = ["2024-02-01", "2024-03-01", "9999-12-31", "0001-01-01"];
const instants = ["2024-02-01T23:59:59.999Z", "2024-03-01T12:00+01:00", "2024-03-01T11:00:00.5"];
const bounds = fc.constantFrom(undefined, ...days, ...instants);
const periods = fc.oneof(
  fc.constant({}),
  fc.constantFrom(1, 29, 3650).map((amount) => ({ days: amount })),
  fc.constantFrom(1, 24).map((amount) => ({ hours: amount })),
  fc.record({ from: bounds, to: bounds }),
);
const filters = fc
  .record({
    field: fc.constantFrom(...countFields),
    op: fc.constantFrom("at_least", "at_most", "eq"),
    value: fc.integer({ min: 0, max: 4 }),
    period: periods,
    campaign: fc.constantFrom(undefined, undefined, 0, 1),
  })
  .map(({ period, campaign, ...condition }) => ({
    ...condition,
    ...period,
    ...(campaign === undefined
      ? {}
      : { campaign: encodeId("campaign", campaigns[campaign] ?? "") }),
  }))
  .map((condition) => segmentFilter.safeParse({ and: [condition] }))
  .filter(({ success }) => success)
  .map(({ data }) => data?.and?.[0] ?? {});

const milliseconds = (text: string) =>
  Date.parse(/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || text.length === 10 ? text : `${text}Z`);

/** Whether a time is in the period of a condition, read word by word. */
function isCounted(at: string | null, { days, hours, from, to }: SegmentFilter): boolean {
  if (at === null) return false;
  const time = milliseconds(at);
  const length = hours ?? (days === undefined ? undefined : 24 * days);
  if (length !== undefined) return time >= milliseconds(now) - length * 3_600_000;
  const wholeDay = to?.length === 10 ? 86_400_000 - 1 : 0;
  return (
    (from === undefined || time >= milliseconds(from)) &&
    (to === undefined || time <= milliseconds(to) + wholeDay)
  );
}

function matches(filter: SegmentFilter, all: readonly Mail[], person: number): boolean {
  const field = filter.field as CountField;
  const campaign = campaigns.findIndex((id) => encodeId("campaign", id) === filter.campaign);
  const number = all.filter(
    (mail) =>
      mail.project === 0 &&
      mail.person === person &&
      !mail.test &&
      (filter.campaign === undefined || mail.campaign === campaign) &&
      isCounted(mail[field], filter),
  ).length;
  const wanted = Number(filter.value);
  if (filter.op === "eq") return number === wanted;
  return filter.op === "at_least" ? number >= wanted : number <= wanted;
}

const people = [0, 1, 2, 3, 4];
const ids: string[] = [];
async function insertPeople(): Promise<void> {
  for (const n of people) {
    const id = newUnownedId();
    ids.push(id);
    await database.db.execute(sql`
      insert into contacts (id, project_id, email, consent)
      values (${id}, ${projects[0]}, ${`p${n}@a.io`}, 'subscribed')`);
  }
}

/** Mail of the other project names the same people: that alone must not count it. */
async function insertMail(all: readonly Mail[]): Promise<void> {
  const used = new Set<string>();
  const rows = all.map((mail) => {
    // One email per person and campaign.
    const key = `${mail.campaign} ${mail.person}`;
    const isFirst = mail.campaign === null || mail.person === null || !used.has(key);
    used.add(key);
    if (!isFirst) mail.campaign = null;
    return {
      id: newUnownedId(),
      project: projects[mail.project],
      message: mail.test ? tests[mail.project] : newUnownedId(),
      contact: mail.person === null ? null : ids[mail.person],
      campaign: mail.campaign === null ? null : campaigns[mail.campaign],
      sent: mail.sentEmails,
      opened: mail.openedEmails,
      clicked: mail.clickedEmails,
      bounced: mail.bouncedEmails,
    };
  });
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, campaign_id, source, status, sent_at,
      opened_at, clicked_at, bounced_at)
    select m.id, m.project, m.message, m.contact, m.campaign, 'CAMPAIGN', 'SENT', m.sent, m.opened,
      m.clicked, m.bounced
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id uuid, project uuid, message uuid,
      contact uuid, campaign uuid, sent timestamptz, opened timestamptz, clicked timestamptz,
      bounced timestamptz)`);
}

async function found(filter: SegmentFilter, asked?: string): Promise<number[]> {
  const projectId = projects[0] ?? "";
  const condition = compileFilter(
    filter,
    projectId,
    asked === undefined ? undefined : (id) => sql`${id} = ${asked}`,
  );
  const rows = await database.db.execute<{ email: string }>(sql`
    select c.email from contacts c where c.project_id = ${projectId} and ${condition}
      and ${asked === undefined ? sql`true` : sql`c.id = ${asked}`}`);
  return rows.map(({ email }) => Number(email[1])).sort();
}

test("numbers of emails are counted as a plain reading counts them: periods, campaigns, nobody else's, none of test keys", async () => {
  const property = fc.asyncProperty(
    fc.array(mails, { minLength: 5, maxLength: 40 }),
    fc.array(filters, { minLength: 30, maxLength: 30 }),
    async (all, chosen) => {
      await database.db.execute(sql`delete from emails`);
      await insertMail(all);
      for (const filter of chosen) {
        const expected = people.filter((person) => matches(filter, all, person));
        expect(await found(filter), JSON.stringify(filter)).toEqual(expected);
        const one = expected.includes(1) ? [1] : [];
        expect(await found(filter, ids[1]), JSON.stringify(filter)).toEqual(one);
      }
    },
  );
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
}, 120_000);

test("ever is as far back as records of emails are kept", async () => {
  await database.db.execute(sql`delete from emails`);
  const at = { sentEmails: now, openedEmails: now, clickedEmails: null, bouncedEmails: null };
  await insertMail([{ person: 0, project: 0, campaign: null, test: false, ...at }]);
  const opened = (op: "at_least" | "at_most", value: number) =>
    found({ field: "openedEmails", op, value });
  expect(await opened("at_least", 1)).toEqual([0]);
  expect(await opened("at_most", 0)).toEqual([1, 2, 3, 4]);
  await database.db.execute(sql`delete from emails`);
  expect(await opened("at_least", 1)).toEqual([]);
  expect(await opened("at_most", 0)).toEqual(people);
});

test("mail is read once, however little is known of a project: contacts are looked up by hash", async () => {
  const conditions: SegmentFilter[] = [
    { field: "openedEmails", op: "at_least", value: 2 },
    { field: "sentEmails", op: "at_most", value: 0, days: 30 },
    { field: "lastOpenedAt", op: "in_last", days: 30 },
    { field: "engagementScore", op: "gt", value: 20 },
  ];
  for (const filter of conditions) {
    const plan = await database.db.execute<Record<string, string>>(sql`
      explain select from contacts c
      where c.project_id = ${projects[0]} and ${compileFilter(filter, projects[0] ?? "")}`);
    const text = plan.map((line) => Object.values(line)[0]).join("\n");
    expect(text, filter.field).toContain("hashed SubPlan");
    expect(text.split("InitPlan")[0], filter.field).not.toMatch(/Semi Join|Anti Join/);
  }
});
