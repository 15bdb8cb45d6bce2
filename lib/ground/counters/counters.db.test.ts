import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { addFigureDeltas } from "@/lib/testing/figures";
import { noCampaign } from "./counters";

const test = useTestDatabase();

function sums(projectId: string) {
  return test.db.execute<Record<string, unknown>>(sql`
    select campaign_id, sum(sent)::int as sent, sum(opens)::int as opens, count(*)::int as rows
    from hourly_figures where project_id = ${projectId} group by campaign_id order by campaign_id`);
}

describe("figures", () => {
  it("add up what concurrent writers bring, by project and campaign", async () => {
    const projectId = newUnownedId();
    const campaignId = newUnownedId();
    const write = () =>
      addFigureDeltas(test.db, [
        { projectId, campaignId, sent: 2, opens: 1 },
        { projectId, campaignId: null, sent: 1 },
        { projectId, campaignId, sent: 1 },
        { projectId: newUnownedId(), campaignId, sent: 5 },
      ]);
    await Promise.all(Array.from({ length: 50 }, write));
    expect(await sums(projectId)).toEqual([
      { campaign_id: noCampaign, sent: 50, opens: 0, rows: 1 },
      { campaign_id: campaignId, sent: 150, opens: 50, rows: 1 },
    ]);
  });

  it("are kept by the hour in UTC, whatever zone the session is in", async () => {
    const projectId = newUnownedId();
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`set local time zone 'Asia/Kolkata'`);
      await addFigureDeltas(tx, [{ projectId, campaignId: null, sent: 1 }]);
    });
    await test.travel("1 hour");
    await addFigureDeltas(test.db, [{ projectId, campaignId: null, sent: 1 }]);
    const rows = await test.db.execute<{ minute: number }>(sql`
      select extract(minute from hour at time zone 'UTC')::int as minute
      from hourly_figures where project_id = ${projectId}`);
    expect(rows.map(({ minute }) => minute)).toEqual([0, 0]);
  });

  it("leave no row where nothing is to be added", async () => {
    const projectId = newUnownedId();
    await addFigureDeltas(test.db, [{ projectId, campaignId: null, sent: 0 }]);
    expect(await sums(projectId)).toEqual([]);
  });
});
