import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { clientOf, connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import type { DeliveryReport } from "@/lib/domain/delivery-reports/effect";
import { recordTogether } from "@/lib/domain/delivery-reports/record-together";
import type { Outcome } from "@/lib/mail/transport";
import { makeProject } from "@/lib/testing";
import { Chance } from "@/lib/testing/chance";
import { send } from "@/lib/testing/delivery";
import { claimEmails } from "./claim";
import { recordResults } from "./record";
import { resultOf } from "./result";

const database = useTestDatabase();
const [rounds, roundsAtOnce, people, mailsEach] = [200, 5, 4, 3];
type Answer = Extract<Outcome, { kind: "accepted" | "refused" }>;

const refused = (code: number, enhancedCode: string): Answer => ({
  kind: "refused",
  stage: "recipient",
  reply: { code, enhancedCode, text: "No" },
});
const answers: Answer[] = [
  { kind: "accepted", reply: { code: 250, enhancedCode: "2.0.0", text: "OK" } },
  refused(550, "5.1.1"),
  refused(552, "5.2.2"),
  refused(451, "4.2.0"),
];
const reports: DeliveryReport[] = [
  { kind: "delivered" },
  { kind: "delayed" },
  { kind: "bounced", hard: true },
  { kind: "bounced", hard: false, gaveUp: true },
  { kind: "complained", type: "abuse" },
];

it("results and reports of the same emails and people are recorded beside each other: no deadlock, and all is counted once", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const chance = new Chance(73);
  const shuffled = <Value>(values: readonly Value[]) =>
    values
      .map((value) => ({ value, place: chance.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
  // Their own connections: what they count of deadlocks is known when they have ended.
  const [worker, reporter] = [connect(database.url), connect(database.url)];
  let recorded = 0;
  for (let round = 0; round < rounds; round += roundsAtOnce) {
    const to = Array.from(
      { length: roundsAtOnce * people },
      (_, n) => `r${round + (n % roundsAtOnce)}n${n}@sandbox.test`,
    );
    for (let nth = 0; nth < mailsEach; nth++) await send(ctx, { from: "shop@sandbox.test", to });
    const { emails } = await claimEmails(worker, { limit: 1_000, leaseSeconds: 600 });
    expect(emails).toHaveLength(to.length * mailsEach);
    for (let now = round; now < round + roundsAtOnce; now++) {
      const mails = shuffled(emails.filter(({ recipient }) => recipient.startsWith(`r${now}n`)));
      expect(mails).toHaveLength(people * mailsEach);
      const results = mails.map((email) => resultOf(email, chance.pick(answers)));
      const [first, second] = [results.slice(0, 6), results.slice(6)];
      const told = shuffled(mails).map(({ id: emailId }) =>
        recordTogether(reporter, {
          emailId,
          projectId,
          report: chance.pick(reports),
          more: { via: "mail" },
        }),
      );
      const ours = await Promise.all([recordResults(worker, first), recordResults(worker, second)]);
      await Promise.all(told);
      recorded += ours.reduce((sum, { size }) => sum + size, 0);
    }
  }
  for (const db of [worker, reporter]) await clientOf(db).end();
  const [deadlocks] = await database.db.execute(sql`
    select deadlocks::int as met from pg_stat_database where datname = current_database()`);
  expect(deadlocks).toEqual({ met: 0 });
  // Both sides came first often enough for this to mean anything.
  expect(recorded).toBeGreaterThan(200);
  expect(recorded).toBeLessThan(rounds * people * mailsEach);

  const [counted] = await database.db.execute(sql`
    select sum(settled)::int as settled, sum(sent)::int as sent,
      sum(delivered)::int as delivered, sum(bounced)::int as bounced,
      sum(complained)::int as complained from hourly_figures where project_id = ${projectId}`);
  const [ledger] = await database.db.execute(sql`
    select (count(*) filter (where status <> 'PENDING'))::int as settled,
      (count(*) filter (where status <> 'PENDING'))::int as sent,
      count(delivered_at)::int as delivered, count(bounced_at)::int as bounced,
      count(complained_at)::int as complained from emails where project_id = ${projectId}`);
  expect(counted).toEqual(ledger);
  const [left] = await database.db.execute(sql`
    select count(*)::int as mails from email_queue join emails on id = email_id
    where status <> 'PENDING'`);
  expect(left).toEqual({ mails: 0 });
  const [twice] = await database.db.execute(sql`
    select count(*)::int as emails from (
      select 1 from email_events where name in ('sent', 'delivered', 'complained')
      group by email_id, name having count(*) > 1) repeated`);
  expect(twice).toEqual({ emails: 0 });
}, 120_000);
