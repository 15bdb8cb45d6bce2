import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { AbTest } from "@/db/schema/campaigns";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { chooseWinner } from "@/lib/domain/campaigns/choose-winner";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { cancelCampaign, pauseCampaign, resumeCampaign } from "@/lib/domain/campaigns/transitions";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { getEmail } from "@/lib/domain/emails/read";
import { recordVisits } from "@/lib/domain/tracking/record";
import { setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { runWarmups } from "@/lib/engine/warm-up/warm-up";
import { encodeId } from "@/lib/ground/ids/ids";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { smtpError, type TestMailServer } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { advanceCampaigns } from "./advance";
import { windowSize } from "./audience";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

// What a test leaves waiting is no other test's mail.
beforeEach(async () => {
  await database.db.execute(sql`update campaigns set due_at = null, status = 'DRAFT'`);
  await database.db.execute(sql`delete from emails`);
});

const wire = (campaign: string) => encodeId("campaign", campaign);

const subjects = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];
const settings = (variants: number, more: Partial<AbTest> = {}): AbTest => ({
  variants: subjects.slice(0, variants).map((subject) => ({ subject })),
  testPercentage: 20,
  winnerMetric: "opens",
  winnerAfterMinutes: 240,
  ...more,
});

/** A campaign with an A/B test to `people` contacts that was just told to send. */
async function tested(people: number, variants = 2, more: Partial<AbTest> = {}) {
  const { ctx, domain } = await sender();
  await seedContacts(database.db, ctx.projectId, people);
  const id = await makeCampaign(database.db, {
    projectId: ctx.projectId,
    fromEmail: `news@${domain}`,
    subject: "Alpha",
    abTest: settings(variants, more),
  });
  return { ctx, id, result: async () => (await getCampaign(ctx, wire(id))).abTestResult };
}

interface StoredEmail extends Record<string, unknown> {
  id: string;
  recipient: string;
  variant: number | null;
  subject: string;
  status: string;
  held: boolean;
}

const storedEmails = (campaign: string) =>
  database.db.execute<StoredEmail>(sql`
    select e.id, e.recipient, e.variant, m.subject, e.status, e.due_at = 'infinity' as held
    from emails e join messages m on m.id = e.message_id
    where e.campaign_id = ${campaign} order by e.recipient`);

const inTest = async (campaign: string) =>
  (await storedEmails(campaign)).filter(({ variant }) => variant !== null);
const countBy = (values: readonly (string | number | null)[]) => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
};

const reader = {
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  address: "85.214.132.117",
};
const open = (emails: readonly { id: string }[], visitor = reader) =>
  recordVisits(
    database.db,
    emails.map(({ id }) => ({ emailId: id, link: null, visitor })),
  );

const subjectOf = (raw: Buffer) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1] ?? "";
/** Who got what, and that nobody got two. */
function received(server: TestMailServer): Record<string, string> {
  const people = server.mails.map(({ to }) => to[0] ?? "");
  expect(new Set(people).size).toBe(people.length);
  return Object.fromEntries(server.mails.map(({ to, raw }) => [to[0] ?? "", subjectOf(raw)]));
}

/** Sends what is due, and takes the steps that follow. */
async function sendDue(server: TestMailServer) {
  await dispatch(server.url);
  await database.travel("15 seconds");
  await advance(database.db);
}

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
  });

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
    const { ctx, id } = await tested(windowSize + 20_000);
    // The steps until the first recipients are written down, and no further.
    const until = new AbortController();
    while (!until.signal.aborted) {
      const one = new AbortController();
      const steps = advanceCampaigns(database.db, one.signal);
      one.abort();
      await steps;
      if ((await storedCampaign(database.db, id)).recipients > 0) until.abort();
    }
    expect(await storedCampaign(database.db, id)).toMatchObject({ complete: false });
    await choose(ctx, id, "B");
    await advance(database.db);
    const counts = await database.db.execute<{
      variant: number | null;
      subject: string;
      n: number;
    }>(sql`
      select e.variant, m.subject, count(*)::int as n,
        bool_and(e.due_at <= app_now() and not e.asleep) as due
      from emails e join messages m on m.id = e.message_id
      where e.campaign_id = ${id} group by 1, 2 order by 1`);
    expect(counts).toEqual([
      { variant: 1, subject: "Alpha", n: 2_000, due: true },
      { variant: 2, subject: "Beta", n: 2_000, due: true },
      { variant: null, subject: "Beta", n: 36_000, due: true },
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
      details: [{ path: "variant", message: "is none of A, B" }],
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
