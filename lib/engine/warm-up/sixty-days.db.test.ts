import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { encodeId } from "@/lib/ground/ids/ids";
import { storedCampaign } from "@/lib/testing/campaigns";
import { simulatedPeople, simulateSixtyDays } from "@/lib/testing/warm-up-days";

const database = useTestDatabase();

it("sixty days: caps and hourly shares kept, the engaged first, slowed and recovered, all of it sent", async () => {
  const states: string[] = [];
  const sentOn: number[] = [];
  const { schedule, campaignIds } = await simulateSixtyDays(database, {
    onHour: ({ day, sent, warmup: { dailyCap, hourlyCap, state } }) => {
      if (sent.hour > 0) {
        expect(sent.day + sent.transactional).toBeLessThanOrEqual(dailyCap ?? 0);
        expect(sent.hour).toBeLessThanOrEqual(hourlyCap ?? 0);
      }
      if (states.at(-1) !== state) states.push(state);
      sentOn[day] = sent.day;
    },
    onDay: async (day, { ctx }, [first]) => {
      if (day !== 2) return;
      expect(await getCampaign(ctx, encodeId("campaign", first ?? ""))).toMatchObject({
        status: "SENDING",
        waitsFor: {
          reason: "warm_up",
          message: expect.stringContaining("sixty.example.com") as string,
        },
      });
    },
  });
  expect(states).toEqual(["warming", "slowed", "warming"]);
  // While there is enough to send, a day's cap is used up, and transactional mail is part of it.
  expect(sentOn.slice(0, 10)).toEqual(schedule.slice(0, 10).map((cap) => cap - 10));
  for (const id of campaignIds) {
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { DELIVERED: simulatedPeople },
    });
    const order = await database.db.execute<{ first: number; last: number }>(sql`
      select min(n)::int as first, max(n)::int as last from (
        select substring(recipient from '[0-9]+')::int as n, date_trunc('hour', sent_at) as hour
        from emails where campaign_id = ${id}) e
      group by hour order by hour`);
    for (const [index, batch] of order.slice(1).entries()) {
      expect(batch.first).toBeGreaterThan(order[index]?.last ?? Infinity);
    }
  }
}, 600_000);
