import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { systemContext } from "@/lib/ground/context";
import { createProject } from "@/lib/domain/projects/projects";
import { segmentFilter } from "@/lib/domain/segments/schema";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { BenchRow } from "./row";
import { startStand } from "./stand";
import { previewSegment } from "@/lib/domain/segment-members/segment-members";

const contacts = 1_000_000;
/** Of each contact. */
const mailsOfEach = 5;
const turns = 5;

/** Milliseconds allowed where an index serves, and where everything is read. */
const indexed = 300;
const read = 1_000;
/** Where all of their mail is read besides. */
const counted = 5_000;
const ada = { field: "data.plan", op: "eq", value: "pro" };
const cases: [what: string, mostMilliseconds: number, filter: unknown][] = [
  [
    "equality, 1 of a million",
    indexed,
    { and: [{ field: "data.customer", op: "eq", value: 4711 }] },
  ],
  ["equality, 20 %", indexed, { and: [ada] }],
  [
    "equality, two levels down",
    indexed,
    { and: [{ field: "data.address.zip", op: "eq", value: "00042" }] },
  ],
  ["address", indexed, { and: [{ field: "email", op: "eq", value: "PERSON4711@example.com" }] }],
  ["tag, 1 %", indexed, { and: [{ field: "tags", op: "contains", value: "vip" }] }],
  ["tag, 33 %", indexed, { and: [{ field: "tags", op: "contains", value: "customer" }] }],
  [
    "part of an address, few",
    indexed,
    { and: [{ field: "email", op: "contains", value: "son4711" }] },
  ],
  [
    "part of an address, third",
    read,
    { and: [{ field: "email", op: "contains", value: "@shop.example" }] },
  ],
  ["number, half", read, { and: [{ field: "data.seats", op: "gt", value: 250 }] }],
  ["number, none", read, { and: [{ field: "data.seats", op: "gt", value: 9000 }] }],
  ["text, 1 %", read, { and: [{ field: "data.city", op: "contains", value: "nor" }] }],
  ["date, half", read, { and: [{ field: "data.signedUpAt", op: "gt", value: "2024-12-15" }] }],
  ["createdAt, half", read, { and: [{ field: "createdAt", op: "lt", value: "2026-06-01" }] }],
  [
    "beginning of an address, few",
    indexed,
    { and: [{ field: "email", op: "starts_with", value: "person4711" }] },
  ],
  [
    "end of an address, third",
    read,
    { and: [{ field: "email", op: "ends_with", value: "@mail.example.org" }] },
  ],
  [
    "date in the last days",
    read,
    { and: [{ field: "data.signedUpAt", op: "in_last", days: 400 }] },
  ],
  [
    "createdAt before the last days",
    read,
    { and: [{ field: "createdAt", op: "before_last", days: 100 }] },
  ],
  [
    "opened in the last days",
    counted,
    { and: [{ field: "lastOpenedAt", op: "in_last", days: 30 }] },
  ],
  ["opened 2 emails ever", counted, { and: [{ field: "openedEmails", op: "at_least", value: 2 }] }],
  [
    "opened 1 email in the last days",
    counted,
    { and: [{ field: "openedEmails", op: "at_least", value: 1, days: 30 }] },
  ],
  [
    "clicked in none in the last days",
    counted,
    { and: [{ field: "clickedEmails", op: "at_most", value: 0, days: 90 }] },
  ],
  [
    "sent exactly 3 emails between dates",
    counted,
    { and: [{ field: "sentEmails", op: "eq", value: 3, from: "2026-08-01", to: "2026-11-01" }] },
  ],
  ["not equal", read, { and: [{ field: "data.plan", op: "neq", value: "free" }] }],
  [
    "combination",
    read,
    {
      and: [
        { field: "subscribed", op: "eq", value: true },
        ada,
        {
          or: [
            { field: "tags", op: "eq", value: "vip" },
            { field: "data.seats", op: "gt", value: 400 },
          ],
        },
        { field: "firstName", op: "not_contains", value: "ken" },
      ],
    },
  ],
];

/** As an import leaves them: indexes made afterwards are as good as ones that grew. */
async function seed(db: Database, projectId: string): Promise<void> {
  const indexes = await db.execute<{ indexname: string; indexdef: string }>(sql`
    select indexname, indexdef from pg_indexes
    where tablename = 'contacts' and indexdef like '%using gin%' or indexdef like '%USING gin%'`);
  const own = indexes.filter(({ indexdef }) => indexdef.includes(" public.contacts "));
  for (const { indexname } of own) await db.execute(sql.raw(`drop index ${indexname}`));
  await db.execute(sql`
    insert into contacts (id, project_id, email, first_name, last_name, consent, tags, data, created_at)
    select overlay(gen_random_uuid()::text placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid,
      ${projectId}::uuid,
      'person' || n || '@' || (array['example.com', 'mail.example.org', 'shop.example.net'])[1 + n % 3],
      (array['Ada', 'Grace', 'Édith', 'Linus', 'Zoë', 'Alan', 'Barbara', 'Ken'])[1 + n % 8],
      (array['Lovelace', 'Hopper', 'Piaf', 'Torvalds', 'Turing', 'Liskov', 'Müller'])[1 + n / 8 % 7],
      case when n % 10 < 8 then 'subscribed' when n % 10 = 8 then 'never' else 'unsubscribed' end,
      case when n % 100 = 0 then array['vip', 'customer'] when n % 3 = 0 then array['customer']
        else '{}' end,
      jsonb_build_object(
        'plan', (array['free', 'free', 'free', 'pro', 'team'])[1 + n % 5], 'seats', n % 500,
        'score', n % 9973 / 10.0, 'customer', n,
        'city', (array['London', 'Paris', 'Berlin', 'Lisbon', 'Oslo', 'Graz', 'Wien'])[1 + n % 7]
          || case when n % 97 = 0 then ' North' else '' end,
        'signedUpAt', to_char(timestamptz '2024-01-01' + make_interval(mins => n),
          'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'address', jsonb_build_object('country', (array['GB', 'FR', 'DE', 'PT'])[1 + n % 4],
          'zip', lpad((n % 99999)::text, 5, '0'))),
      timestamptz '2026-11-21' - make_interval(secs => 30 * (${contacts} - n))
    from generate_series(1, ${contacts}) n`);
  for (const { indexdef } of own) await db.execute(sql.raw(indexdef));
  await db.execute(sql`vacuum analyze contacts`);
  await db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, source, status, sent_at, opened_at,
      clicked_at, created_at)
    select gen_random_uuid(), ${projectId}::uuid, gen_random_uuid(), mail.contact_id, 'TRANSACTIONAL',
      'SENT', mail.at, case when mail.n % 3 = 0 then mail.at + interval '1 hour' end,
      case when mail.n % 12 = 0 then mail.at + interval '2 hours' end, mail.at
    from (
      select c.id as contact_id, (('x' || left(c.id::text, 8))::bit(32)::int + 7 * turn) % 1000 as n,
        app_now() - make_interval(days => 30 * turn, hours => 7) as at
      from generate_series(0, ${mailsOfEach - 1}) turn, contacts c where c.project_id = ${projectId}
    ) mail`);
  await db.execute(sql`vacuum analyze emails`);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b)[Math.floor(turns / 2)] ?? NaN;
}

/**
 * Count and preview over a million contacts, the median of five. The floor is one plain read of all of
 * them: `count(*)` with a condition that every row meets.
 */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  try {
    const owner = await findOrCreateUser(stand.db, { email: "bench@example.com", name: "Bench" });
    const project = await createProject(stand.db, { name: "Bench", ownerUserId: owner.id });
    await seed(stand.db, project.id);
    const ctx = systemContext(stand.db, project.id);
    const floor = await milliseconds(() =>
      stand.db.execute(sql`
        select count(*) from contacts where project_id = ${project.id} and first_name <> ''`),
    );
    const rows: BenchRow[] = [];
    for (const [what, most, filter] of cases) {
      const checked = segmentFilter.parse(filter);
      const figure = await milliseconds(() => previewSegment(ctx, checked));
      const ratio = figure / floor;
      rows.push({ what: `segment: ${what}`, unit: "ms", figure, floor, ratio, goal: { most } });
    }
    return rows;
  } finally {
    await stand.stop();
  }
}
