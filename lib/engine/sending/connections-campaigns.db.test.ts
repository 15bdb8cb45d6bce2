import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { freePort } from "@/db/embedded/free-port";
import { useTestDatabase } from "@/db/testing";
import { createConnection, getConnection } from "@/lib/domain/connections/connections";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { campaignId, useCampaignSending } from "@/lib/testing/campaign-sending";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const { draft, mailServer, startDispatcher } = useCampaignSending(database);

it("a campaign whose connection is held stays where it is, and leaves whole when it is back", async () => {
  const installation = await mailServer();
  const port = await freePort();
  const { ctx, id } = await draft(150);
  const { id: connection } = await createConnection(ctx, {
    name: "Ours",
    kind: "smtp",
    host: "127.0.0.1",
    port,
    standard: true,
  });
  await sendCampaign(ctx, campaignId(id), {});
  await advanceCampaigns(database.db, AbortSignal.timeout(30_000));
  startDispatcher(installation.url);
  await until(async () => (await getConnection(ctx, connection)).state.name === "unreachable");
  const waiting = async () => {
    const [row] = await database.db.execute<{ awake: number; asleep: number; tried: number }>(sql`
      select count(*) filter (where not asleep and lease_id is null)::int as awake,
        count(*) filter (where asleep)::int as asleep,
        count(*) filter (where attempts > 0 and lease_id is null)::int as tried
      from email_queue where project_id = ${ctx.projectId}`);
    return row;
  };
  await until(async () => (await waiting())?.awake === 150);
  expect(await waiting()).toEqual({ awake: 150, asleep: 0, tried: 0 });

  const back = await mailServer({}, port);
  await database.db.execute(
    sql`update sending_connections set probe_at = app_now() where held_since is not null`,
  );
  await until(() => back.mails.length === 150, { seconds: 15 });
  expect(new Set(back.mails.flatMap(({ to }) => to)).size).toBe(150);
  expect(installation.mails).toEqual([]);
});
