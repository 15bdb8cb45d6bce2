import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { chooseWinner } from "@/lib/domain/campaigns/choose-winner";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { cancelCampaign, pauseCampaign, resumeCampaign } from "@/lib/domain/campaigns/transitions";
import { encodeId } from "@/lib/ground/ids/ids";
import { countBy, received, useAbTests } from "@/lib/testing/ab-tests";
import { advance, makeCampaign, storedCampaign } from "@/lib/testing/campaigns";
import { advanceCampaigns } from "./advance";
import { windowSize } from "./audience";

const database = useTestDatabase();
const { tested, inTest, open, sendDue, mailServer, dispatch } = useAbTests(database);
const wire = (campaign: string) => encodeId("campaign", campaign);

describe("a test that is interfered with", () => {
  it("by many workers in every phase decides once, and each person gets one variant", async () => {
    const { id } = await tested(300, 3, { testPercentage: 30 });
    const server = await mailServer();
    const many = () => Promise.all([1, 2, 3, 4].map(() => advance(database.db)));
    await many();
    await Promise.all([dispatch(server.url), dispatch(server.url)]);
    await database.travel("15 seconds");
    await many();
    await open((await inTest(id)).filter(({ variant }) => variant === 3));
    await database.travel("4 hours");
    await many();
    await Promise.all([dispatch(server.url), dispatch(server.url), many()]);
    await database.travel("15 seconds");
    await many();
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 30, Beta: 30, Gamma: 240 });
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  });

  it("by workers that die at the end of every step, its writes undone, goes on where it was", async () => {
    const { id } = await tested(300, 2, { testPercentage: 10 });
    const server = await mailServer();
    // A step's last statement fails; the one that puts it off and the next try of the step do not.
    await database.db.execute(sql`create sequence deaths`);
    await database.db.execute(sql`
      create function die() returns trigger language plpgsql as $$ begin
        if nextval('deaths') % 3 = 1 then raise exception using errcode = '55P03'; end if;
        return new;
      end $$`);
    await database.db.execute(sql`
      create trigger deadly before update of due_at on campaigns
      for each row when (new.id = ${sql.raw(`'${id}'`)}) execute function die()`);
    const steps = async () => {
      for (let time = 0; time < 8; time++) {
        await advance(database.db);
        await database.travel("10 seconds");
      }
    };
    await steps();
    await dispatch(server.url);
    await steps();
    await open((await inTest(id)).filter(({ variant }) => variant === 2));
    await database.travel("4 hours");
    await steps();
    await dispatch(server.url);
    await steps();
    const [deaths] = await database.db.execute<{ n: number }>(sql`
      select (last_value / 3)::int as n from deaths`);
    await database.db.execute(sql`drop trigger deadly on campaigns`);
    // Start, audience, wait, decision, release, end.
    expect(deaths?.n).toBeGreaterThanOrEqual(6);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 15, Beta: 285 });
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      recipients: 300,
      people: 300,
    });
  });

  it("by a pause in each phase sends nothing meanwhile, and goes on when resumed", async () => {
    const { ctx, id, result } = await tested(20);
    const server = await mailServer();
    const paused = async (during: () => Promise<unknown>) => {
      await pauseCampaign(ctx, wire(id));
      await during();
      await advance(database.db);
      const before = server.mails.length;
      await dispatch(server.url);
      expect(server.mails).toHaveLength(before);
      await resumeCampaign(ctx, wire(id));
      await advance(database.db);
    };
    await paused(() => Promise.resolve());
    await sendDue(server);
    expect(server.mails).toHaveLength(4);
    await open((await inTest(id)).filter(({ variant }) => variant === 2));
    // Its time comes while it is paused: nothing is decided until it is resumed.
    await paused(async () => {
      await database.travel("5 hours");
      await advance(database.db);
      expect(await result()).toMatchObject({ phase: "awaiting_winner", winner: null });
    });
    expect(await result()).toMatchObject({ phase: "sending_winner", winner: "B" });
    await paused(() => Promise.resolve());
    await sendDue(server);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 2, Beta: 18 });
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  });

  it.each(["testing", "awaiting_winner", "sending_winner"])(
    "by a cancellation while %s sends nothing more, and its figures add up",
    async (phase) => {
      const { ctx, id, result } = await tested(20);
      const server = await mailServer();
      await advance(database.db);
      if (phase !== "testing") await sendDue(server);
      if (phase === "sending_winner") {
        await database.travel("4 hours");
        await advance(database.db);
      }
      expect(await result()).toMatchObject({ phase });
      await cancelCampaign(ctx, wire(id));
      await database.travel("1 day");
      await advance(database.db);
      const sent = server.mails.length;
      await dispatch(server.url);
      expect(server.mails).toHaveLength(sent);
      expect(await storedCampaign(database.db, id)).toMatchObject({
        status: "CANCELLED",
        waits: false,
        by_status: { FAILED: 20 - sent },
        figures: { settled: 20, sent, failed: 20 - sent },
      });
      expect(await result()).toMatchObject({ phase: "stopped" });
    },
  );
});

describe("a winner chosen by hand", () => {
  const choose = (ctx: Parameters<typeof chooseWinner>[0], id: string, variant: "A" | "B" | "C") =>
    chooseWinner(ctx, wire(id), { variant });

  it.each(["testing", "awaiting_winner"])("while %s goes to the rest at once", async (phase) => {
    const { ctx, id, result } = await tested(20);
    const server = await mailServer();
    await advance(database.db);
    if (phase === "awaiting_winner") {
      await sendDue(server);
      await open((await inTest(id)).filter(({ variant }) => variant === 1));
    }
    expect(await result()).toMatchObject({ phase });
    const chosen = await choose(ctx, id, "B");
    expect(chosen.abTestResult).toMatchObject({
      phase: "sending_winner",
      winner: "B",
      outcome: "chosen_by_hand",
    });
    expect(chosen.abTestResult?.explanation).toMatch(/^B was chosen by hand/);
    await advance(database.db);
    await sendDue(server);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 2, Beta: 18 });
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  });

  it("while it is paused goes out when it is resumed", async () => {
    const { ctx, id } = await tested(20);
    const server = await mailServer();
    await advance(database.db);
    await sendDue(server);
    await pauseCampaign(ctx, wire(id));
    await choose(ctx, id, "B");
    await sendDue(server);
    expect(server.mails).toHaveLength(4);
    await resumeCampaign(ctx, wire(id));
    await advance(database.db);
    await sendDue(server);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 2, Beta: 18 });
  });

  it("before the whole audience is written down is what the others get", async () => {
    const { ctx, id } = await tested(windowSize + 1_000);
    const step = async () => {
      const stopping = new AbortController();
      const steps = advanceCampaigns(database.db, stopping.signal);
      stopping.abort();
      await steps;
    };
    // It starts, and writes down the first recipients.
    await step();
    await step();
    expect(await storedCampaign(database.db, id)).toMatchObject({
      recipients: windowSize,
      complete: false,
    });
    await choose(ctx, id, "B");
    await advance(database.db);
    const counts = await database.db.execute<{
      variant: number | null;
      subject: string;
      n: number;
    }>(sql`
      select e.variant, m.subject, count(*)::int as n,
        bool_and(q.due_at <= app_now() and not q.asleep) as due
      from emails e join messages m on m.id = e.message_id
        join email_queue q on q.email_id = e.id
      where e.campaign_id = ${id} group by 1, 2 order by 1`);
    expect(counts).toEqual([
      { variant: 1, subject: "Alpha", n: 2_000, due: true },
      { variant: 2, subject: "Beta", n: 2_000, due: true },
      { variant: null, subject: "Beta", n: 17_000, due: true },
    ]);
    await cancelCampaign(ctx, wire(id));
    await advance(database.db);
  });

  it("is one: of two people the first wins, repeating changes nothing, and it is not open for ever", async () => {
    const { ctx, id } = await tested(20, 3);
    await expect(choose(ctx, id, "B")).rejects.toMatchObject({ code: "CONFLICT" });
    await advance(database.db);
    const calls = await Promise.allSettled([choose(ctx, id, "B"), choose(ctx, id, "C")]);
    expect(calls.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { abTestResult } = await getCampaign(ctx, wire(id));
    const winner = abTestResult?.winner ?? "A";
    expect(["B", "C"]).toContain(winner);
    await expect(choose(ctx, id, "A")).rejects.toMatchObject({ code: "CONFLICT" });
    const again = await choose(ctx, id, winner as "B");
    expect(again.abTestResult).toMatchObject({ winner, decidedAt: abTestResult?.decidedAt });
  });

  it("must be a variant, of a test, and somebody who may", async () => {
    const { ctx, id } = await tested(20);
    await advance(database.db);
    await expect(choose(ctx, id, "C")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "variant", message: "is not one of A, B" }],
    });
    await expect(choose({ ...ctx, role: "viewer" }, id, "B")).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    const plain = await makeCampaign(database.db, {
      projectId: ctx.projectId,
      fromEmail: "news@sandbox.test",
    });
    await expect(choose(ctx, plain, "A")).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
