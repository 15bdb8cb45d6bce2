import { sql } from "drizzle-orm";
import { beforeEach, expect } from "vitest";
import type { AbTest } from "@/db/schema/campaigns";
import type { TestDatabase } from "@/db/testing";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { recordVisits } from "@/lib/domain/tracking/record";
import { encodeId } from "@/lib/ground/ids/ids";
import { advance, makeCampaign, seedContacts } from "./campaigns";
import type { TestMailServer } from "./delivery";
import { useMailServers } from "./mail-servers";

const subjects = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];

/** An A/B test of this many subjects: Alpha, Beta, ... */
export const settings = (variants: number, more: Partial<AbTest> = {}): AbTest => ({
  variants: subjects.slice(0, variants).map((subject) => ({ subject })),
  testPercentage: 20,
  winnerMetric: "opens",
  winnerAfterMinutes: 240,
  ...more,
});

export function countBy(values: readonly (string | number | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

const subjectOf = (raw: Buffer) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1] ?? "";

/** The subject that each person got; checks that nobody got two. */
export function received(server: TestMailServer): Record<string, string> {
  const people = server.mails.map(({ to }) => to[0] ?? "");
  expect(new Set(people).size).toBe(people.length);
  return Object.fromEntries(server.mails.map(({ to, raw }) => [to[0] ?? "", subjectOf(raw)]));
}

interface StoredEmail extends Record<string, unknown> {
  id: string;
  recipient: string;
  variant: number | null;
  subject: string;
  status: string;
  /** Waits for the winner. */
  held: boolean;
}

export const reader = {
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  address: "85.214.132.117",
};

/** Campaigns with A/B tests, and the mail servers they go to. Call at the top level. */
export function useAbTests(database: TestDatabase) {
  const servers = useMailServers(database);
  // Mail that a test leaves waiting must not reach another test.
  beforeEach(async () => {
    await database.db.execute(sql`update campaigns set due_at = null, status = 'DRAFT'`);
    await database.db.execute(sql`truncate emails, email_queue cascade`);
  });
  const storedEmails = (campaign: string) =>
    database.db.execute<StoredEmail>(sql`
      select e.id, e.recipient, e.variant, m.subject, e.status,
        coalesce(q.due_at = 'infinity', false) as held
      from emails e left join email_queue q on q.email_id = e.id join messages m on m.id = e.message_id
      where e.campaign_id = ${campaign} order by e.recipient`);
  return {
    ...servers,
    /** A campaign with an A/B test to `people` contacts that has just been started. */
    tested: async (people: number, variants = 2, more: Partial<AbTest> = {}) => {
      const { ctx, domain } = await servers.sender();
      await seedContacts(database.db, ctx.projectId, people);
      const id = await makeCampaign(database.db, {
        projectId: ctx.projectId,
        fromEmail: `news@${domain}`,
        subject: "Alpha",
        abTest: settings(variants, more),
      });
      const result = async () => (await getCampaign(ctx, encodeId("campaign", id))).abTestResult;
      return { ctx, id, result };
    },
    storedEmails,
    inTest: async (campaign: string) =>
      (await storedEmails(campaign)).filter(({ variant }) => variant !== null),
    open: (emails: readonly { id: string }[], visitor = reader) =>
      recordVisits(
        database.db,
        emails.map(({ id }) => ({ emailId: id, link: null, visitor })),
      ),
    /** Sends what is due, and takes the steps that follow. */
    sendDue: async (server: TestMailServer) => {
      await servers.dispatch(server.url);
      await database.travel("15 seconds");
      await advance(database.db);
    },
  };
}
