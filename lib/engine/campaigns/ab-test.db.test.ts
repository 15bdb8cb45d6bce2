import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { cancelCampaign } from "@/lib/domain/campaigns/transitions";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { getEmail } from "@/lib/domain/emails/read";
import { setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { runWarmups } from "@/lib/engine/warm-up/warm-up";
import { encodeId } from "@/lib/ground/ids/ids";
import { countBy, reader, received, settings, useAbTests } from "@/lib/testing/ab-tests";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { smtpError } from "@/lib/testing/delivery";
import { endOfNextHour, travelTo } from "@/lib/testing/travel-to";
import { windowSize } from "./audience";

const database = useTestDatabase();
const { tested, storedEmails, inTest, open, sendDue, sender, mailServer, dispatch } =
  useAbTests(database);
const wire = (campaign: string) => encodeId("campaign", campaign);

describe("an A/B test", () => {
  it("goes to its share evenly, and what more people open goes to everybody else", async () => {
    const { id, result } = await tested(100);
    const server = await mailServer();
    await advance(database.db);
    expect(countBy((await storedEmails(id)).map(({ variant }) => variant))).toEqual({
      1: 10,
      2: 10,
      null: 80,
    });
    expect(await result()).toMatchObject({ phase: "testing", testRecipients: 20, winner: null });
    await sendDue(server);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 10, Beta: 10 });
    expect(await result()).toMatchObject({
      phase: "awaiting_winner",
      decidesAt: expect.any(String),
    });
    const people = await inTest(id);
    await open(people.filter(({ variant }) => variant === 2));
    await open(people.filter(({ variant }) => variant === 1).slice(0, 2));
    await database.travel("239 minutes");
    await advance(database.db);
    expect(await result()).toMatchObject({ phase: "awaiting_winner", winner: null });
    await database.travel("1 minute");
    await advance(database.db);
    expect(await result()).toMatchObject({
      phase: "sending_winner",
      winner: "B",
      outcome: "clear_winner",
      variants: [
        { variant: "A", recipients: 10, sent: 10, opened: 2, openRate: 0.2 },
        { variant: "B", recipients: 10, sent: 10, opened: 10, openRate: 1 },
      ],
    });
    await sendDue(server);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 10, Beta: 90 });
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      recipients: 100,
      people: 100,
      figures: { settled: 100, sent: 100, failed: 0 },
    });
    // The rest's mail is in the campaign's figures and not in the test's.
    expect(await result()).toMatchObject({
      phase: "done",
      variants: [
        { variant: "A", sent: 10 },
        { variant: "B", sent: 10 },
      ],
    });
  });

  it("counts no machine as a reader, and says that there is no clear winner", async () => {
    const { id, result } = await tested(100);
    const server = await mailServer();
    await advance(database.db);
    await sendDue(server);
    const people = await inTest(id);
    await open(people.filter(({ variant }) => variant === 1).slice(0, 5));
    await open(
      people.filter(({ variant }) => variant === 2),
      { ...reader, userAgent: "Mozilla/5.0" },
    );
    await open(people.filter(({ variant }) => variant === 2).slice(0, 4));
    await database.travel("4 hours");
    await advance(database.db);
    const decided = await result();
    expect(decided).toMatchObject({ winner: "A", outcome: "no_clear_winner" });
    expect(decided?.winnerProbability).toBeLessThan(0.95);
    expect(decided?.explanation).toMatch(/^No clear winner: A .*A 5 of 10, B 4 of 10 opened/);
    await sendDue(server);
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 90, Beta: 10 });
  });

  it("sends each variant's sender name, preview text and content, and the campaign's where it has none", async () => {
    const { id } = await tested(40, 2, {
      variants: [
        { subject: "Alpha" },
        {
          subject: "Beta",
          fromName: "Ada of Example",
          previewText: "Read on",
          html: "<p>Good day {{ firstName }}</p>",
        },
      ],
      testPercentage: 50,
    });
    const server = await mailServer();
    await advance(database.db);
    await dispatch(server.url);
    const mails = server.mails.map(({ raw }) => raw.toString());
    const [alpha, beta] = [/^Subject: Alpha/m, /^Subject: Beta/m].map((subject) =>
      mails.filter((mail) => subject.test(mail)),
    );
    expect([alpha?.length, beta?.length]).toEqual([10, 10]);
    for (const mail of alpha ?? []) {
      expect(mail).toContain("Hello Reader");
      expect(mail).not.toContain("Ada of Example");
    }
    for (const mail of beta ?? []) {
      expect(mail).toMatch(/^From: Ada of Example </m);
      expect(mail).toContain("Good day Reader");
      expect(mail).toContain("Read on");
      expect(mail).not.toContain("Hello Reader");
    }
    expect(await storedCampaign(database.db, id)).toMatchObject({ recipients: 40 });
  });

  it.each([
    [1, 2, { 1: 1 }],
    [3, 5, { 1: 1, 2: 1, 3: 1 }],
    [5, 5, { 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 }],
  ])(
    "to %d people with %d variants has them all in it, and ends",
    async (people, variants, dealt) => {
      const { id, result } = await tested(people, variants);
      const server = await mailServer();
      await advance(database.db);
      expect(countBy((await inTest(id)).map(({ variant }) => variant))).toEqual(dealt);
      await sendDue(server);
      expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT", waits: false });
      expect(await result()).toMatchObject({ phase: "done", winner: null, outcome: null });
      expect((await result())?.explanation).toContain("nobody was left");
      expect(Object.keys(received(server))).toHaveLength(people);
    },
  );

  it("to a few people gives each variant somebody, and leaves the others for the winner", async () => {
    const { id } = await tested(8, 5, { testPercentage: 5 });
    await advance(database.db);
    expect(countBy((await storedEmails(id)).map(({ variant }) => variant))).toEqual({
      1: 1,
      2: 1,
      3: 1,
      4: 1,
      5: 1,
      null: 3,
    });
  });

  it("to nobody ends SENT with none", async () => {
    const { id } = await tested(0);
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT", recipients: 0 });
  });

  it("keeps its share exact and its variants even over an audience of several windows", async () => {
    const people = windowSize * 2 + 1_234;
    const { ctx, id } = await tested(people, 3, { testPercentage: 13 });
    await advance(database.db);
    const counts = await database.db.execute<{ variant: number | null; n: number }>(sql`
      select variant, count(*)::int as n from emails where campaign_id = ${id}
      group by 1 order by 1`);
    const size = Math.ceil(people * 0.13);
    expect(counts.map(({ n }) => n)).toEqual([
      ...[0, 1, 2].map((index) => Math.ceil((size - index) / 3)),
      people - size,
    ]);
    await cancelCampaign(ctx, wire(id));
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      figures: { settled: people, failed: people },
    });
  });

  it("deals by campaign and contact: another campaign has other people in its test", async () => {
    const { ctx, id } = await tested(200);
    const other = await makeCampaign(database.db, {
      projectId: ctx.projectId,
      fromEmail: (await getCampaign(ctx, wire(id))).from,
      abTest: settings(2),
    });
    await advance(database.db);
    const [first, second] = await Promise.all([inTest(id), inTest(other)]);
    const people = new Set(first.map(({ recipient }) => recipient));
    expect(first).toHaveLength(40);
    expect(second.filter(({ recipient }) => people.has(recipient)).length).toBeLessThan(20);
  });
});

describe("who waits for the winner", () => {
  it("is nobody who came later", async () => {
    const { ctx, id } = await tested(20);
    const server = await mailServer();
    await advance(database.db);
    await seedContacts(database.db, ctx.projectId, 1, { email: sql`'late@example.org'` });
    await sendDue(server);
    await database.travel("4 hours");
    await advance(database.db);
    await sendDue(server);
    expect(Object.keys(received(server))).toHaveLength(20);
    expect(received(server)).not.toHaveProperty("late@example.org");
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  });

  it("gets nothing after unsubscribing or being deleted meanwhile", async () => {
    const { ctx, id } = await tested(20);
    const server = await mailServer();
    await advance(database.db);
    await sendDue(server);
    const [left, deleted] = (await storedEmails(id)).filter(({ held }) => held);
    await database.db.execute(sql`
      update contacts set consent = 'unsubscribed'
      where project_id = ${ctx.projectId} and email = ${left?.recipient}`);
    await deleteContact(ctx, deleted?.recipient ?? "");
    await database.travel("4 hours");
    await advance(database.db);
    await sendDue(server);
    const people = received(server);
    expect(Object.keys(people)).toHaveLength(18);
    expect(people).not.toHaveProperty(left?.recipient ?? "");
    expect(people).not.toHaveProperty(deleted?.recipient ?? "");
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      figures: { settled: 20, sent: 18, failed: 2 },
    });
  });

  it("waits after that for the warm-up, as the test does, and the wait begins when the test is out", async () => {
    await travelTo(database, endOfNextHour);
    const { ctx, domain, key } = await sender();
    await seedContacts(database.db, ctx.projectId, 200);
    // Twenty an hour.
    await setWarmup(ctx, encodeId("domain", key.id), { enabled: true, schedule: [200, 200] });
    const id = await makeCampaign(database.db, {
      projectId: ctx.projectId,
      fromEmail: `news@${domain}`,
      abTest: settings(2),
    });
    const server = await mailServer();
    const anHour = async () => {
      await runWarmups(database.db, AbortSignal.timeout(20_000));
      await dispatch(server.url);
      await database.travel("1 hour");
      await advance(database.db);
      return (await getCampaign(ctx, wire(id))).abTestPhase;
    };
    await advance(database.db);
    expect(await anHour()).toBe("testing");
    expect(server.mails.length).toBeLessThan(40);
    expect(await anHour()).toBe("awaiting_winner");
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 20, Beta: 20 });
    await open((await inTest(id)).filter(({ variant }) => variant === 2));
    for (let hour = 1; hour < 4; hour++) expect(await anHour()).toBe("awaiting_winner");
    expect(server.mails).toHaveLength(40);
    expect(await anHour()).toBe("sending_winner");
    await anHour();
    expect(server.mails.length).toBeGreaterThan(40);
    expect(server.mails.length).toBeLessThan(200);
    for (let hour = 0; hour < 48; hour++) await anHour();
    expect(countBy(Object.values(received(server)))).toEqual({ Alpha: 20, Beta: 180 });
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  }, 60_000);

  it("is seen in the log as waiting, for no time that is known", async () => {
    const { ctx, id } = await tested(20);
    await advance(database.db);
    const [held] = (await storedEmails(id)).filter((email) => email.held);
    const email = await getEmail(ctx, encodeId("email", held?.id ?? ""));
    expect(email).toMatchObject({ status: "PENDING", scheduledAt: null });
  });

  it("waits no longer for a variant that a server puts off, and each keeps the one they were dealt", async () => {
    const { id } = await tested(20);
    let greylist = "";
    const server = await mailServer({
      onRcptTo({ address }, _, callback) {
        if (address === greylist) callback(smtpError(451, "4.7.1 Later"));
        else callback();
      },
    });
    await advance(database.db);
    const [, putOff] = (await inTest(id)).toSorted(
      (left, right) => (left.variant ?? 0) - (right.variant ?? 0),
    );
    greylist = putOff?.recipient ?? "";
    await sendDue(server);
    expect(received(server)).not.toHaveProperty(greylist);
    const others = (await inTest(id)).filter(({ recipient }) => recipient !== greylist);
    await open(others.filter(({ variant }) => variant !== putOff?.variant));
    greylist = "";
    await database.travel("4 hours");
    await advance(database.db);
    await sendDue(server);
    expect(received(server)[putOff?.recipient ?? ""]).toBe(putOff?.subject);
    expect(Object.keys(received(server))).toHaveLength(20);
  });
});

it("is taken through its phases by the statements that stand beside this test", async () => {
  const { id } = await tested(20);
  const text = await recordStatements(database.url, async (db) => {
    await advance(db);
    await database.db.execute(sql`
      update campaigns set winner = 2, due_at = app_now() where id = ${id}`);
    await advance(db);
  });
  await expect(text).toMatchFileSnapshot("./ab-test.sql");
});
