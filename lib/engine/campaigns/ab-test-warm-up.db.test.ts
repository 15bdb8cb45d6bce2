import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { runWarmups } from "@/lib/engine/warm-up/warm-up";
import { encodeId } from "@/lib/ground/ids/ids";
import { countBy, settings, useAbTests } from "@/lib/testing/ab-tests";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { endOfNextDaysFirstHour, travelTo } from "@/lib/testing/travel-to";

const database = useTestDatabase();
const { inTest, open, sender, mailServer, dispatch } = useAbTests(database);

it("a warm-up keeps its caps with an A/B test and another campaign at once, and each person gets one of each", async () => {
  await travelTo(database, endOfNextDaysFirstHour);
  const { ctx, domain, key } = await sender();
  const people = 120;
  await seedContacts(database.db, ctx.projectId, people);
  // Ten an hour, a hundred a day.
  const schedule = [100, 100, 100];
  await setWarmup(ctx, encodeId("domain", key.id), { enabled: true, schedule });
  const fields = { projectId: ctx.projectId, fromEmail: `news@${domain}` };
  const tested = await makeCampaign(database.db, {
    ...fields,
    subject: "Alpha",
    abTest: settings(2, { testPercentage: 50 }),
  });
  const plain = await makeCampaign(database.db, { ...fields, subject: "Plain" });
  const server = await mailServer();
  const step = async () => {
    await advance(database.db);
    const runs = [1, 2].map(() => runWarmups(database.db, AbortSignal.timeout(60_000)));
    await Promise.all(runs);
    await Promise.all([dispatch(server.url), dispatch(server.url)]);
    await database.travel("1 hour");
    await advance(database.db);
  };
  const hasEnded = async () => {
    const both = await Promise.all([tested, plain].map((id) => storedCampaign(database.db, id)));
    return both.every(({ status }) => status === "SENT");
  };
  let hasOpened = false;
  for (let hour = 0; hour < 80 && !(await hasEnded()); hour++) {
    await step();
    const dealt = await inTest(tested);
    if (!hasOpened && dealt.every(({ status }) => status === "SENT")) {
      hasOpened = true;
      await open(dealt.filter(({ variant }) => variant === 2));
    }
  }
  expect(await hasEnded()).toBe(true);
  const most = async (unit: "hour" | "day") => {
    const [row] = await database.db.execute<{ most: number }>(sql`
      select max(n)::int as most from (
        select count(*) as n from emails where project_id = ${ctx.projectId}
        group by date_trunc(${unit}, sent_at, 'UTC')) e`);
    return row?.most ?? 0;
  };
  expect(await most("hour")).toBe(10);
  expect(await most("day")).toBeLessThanOrEqual(100);
  const mails = server.mails.map(({ to, raw }) => ({
    to: to[0] ?? "",
    subject: /^Subject: (.*)\r$/m.exec(raw.toString())?.[1] ?? "",
  }));
  expect(countBy(mails.map(({ subject }) => subject))).toEqual({
    Alpha: 30,
    Beta: 90,
    Plain: people,
  });
  for (const isPlain of [true, false]) {
    const got = mails.filter(({ subject }) => (subject === "Plain") === isPlain);
    expect(new Set(got.map(({ to }) => to)).size).toBe(people);
  }
}, 120_000);
