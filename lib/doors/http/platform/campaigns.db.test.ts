import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { CampaignStatus } from "@/db/enums";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { advance } from "@/lib/testing/campaigns";
import { resumeCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { dispatchDue } from "@/lib/testing/delivery";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { createSegment } from "@/lib/domain/segments/segments";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformClient, platformToken } from "@/lib/testing/platform";
import { recordVisits } from "@/lib/domain/tracking/record";
import { recipientToken } from "@/lib/mail/tracking/tokens";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof platformClient>;

beforeAll(async () => {
  project = await makeProject(database.db);
  ask = platformClient(await platformToken(project));
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string;
const content = {
  name: "November",
  subject: "News",
  from: { email: "news@sandbox.test", name: "Example" },
  body: "<h1>Hello {{ firstName }}</h1><p><a href='https://example.com/a'>More</a></p>",
};
const nothingYet = {
  subscriber_count: 0,
  uniq_open_rate: 0,
  delivered_rate: 0,
  unique_open_count: 0,
  open_rate: 0,
  uniq_open_count: 0,
  last_open: null,
  click_rate: 0,
  click_count: 0,
  abuse_feedback_count: 0,
  last_click: null,
  bounce_count: 0,
  unsubscribe_count: 0,
  links: [],
  top_locations: [],
  top_open_subscribers: [],
};
const detail = async (id: string) =>
  (await ask("GET", `/campaigns/${id}`)).body as Record<"campaign" | "statistics", unknown>;

async function makeList(names: string[]): Promise<string> {
  const { body } = await ask("POST", "/lists", {
    name: "Readers",
    from_email: "news@sandbox.test",
    remind_message: "You asked for it",
  });
  const uid = (body as { list_uid: string }).list_uid;
  for (const name of names) {
    await ask("POST", "/subscribers", { list_uid: uid, EMAIL: `${name}@sandbox.test` });
  }
  return uid;
}

/** The uuids of a campaign's emails by the recipient's local part. */
async function emailsOf(id: string): Promise<Record<string, string>> {
  const rows = await database.db.execute<{ id: string; recipient: string }>(sql`
    select id, recipient from emails where campaign_id = ${decodeId("campaign", id)}`);
  return Object.fromEntries(rows.map((row) => [row.recipient.split("@")[0] ?? "", row.id]));
}

test("a campaign whose text takes too long to make keeps no other from the list", async () => {
  const fresh = await makeProject(database.db);
  const asked = platformClient(await platformToken(fresh));
  const deep = ["<blockquote>".repeat(190), "</blockquote>".repeat(190)];
  await createCampaign(fresh.ctx, { ...content, body: deep.join("x<br>".repeat(50_000)) });
  await createCampaign(fresh.ctx, { ...content, name: "December" });
  const { status, body } = await asked("GET", "/campaigns");
  expect(status).toBe(200);
  expect(body).toMatchObject([{ name: "December" }, { name: "November", plain: "" }]);
}, 60_000);

describe("Endpoints", () => {
  test("GET /campaigns: array of campaigns, those of the dashboard, newest first", async () => {
    const own = await makeProject(database.db);
    const client = platformClient(await platformToken(own));
    expect((await client("GET", "/campaigns")).body).toEqual([]);
    const draft = await createCampaign(own.ctx, { incomplete: true, name: "Draft" });
    const sent = await createCampaign(own.ctx, { ...content, replyTo: "help@example.com" });
    await sendCampaign(own.ctx, sent.id, {});
    const campaigns = (await client("GET", "/campaigns")).body as Record<string, unknown>[];
    expect(campaigns).toEqual([
      {
        uid: sent.id,
        name: "November",
        type: "regular",
        subject: "News",
        plain: "Hello {{ firstName }}\n\nMore [https://example.com/a]",
        from_email: "news@sandbox.test",
        from_name: "Example",
        reply_to: "help@example.com",
        status: "sending",
        delivery_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
        created_at: time,
        updated_at: time,
      },
      expect.objectContaining({ uid: draft.id, status: "new", delivery_at: null, plain: "" }),
    ]);
    const second = (await client("GET", "/campaigns?per_page=1&page=2")).body as { uid: string }[];
    expect(second.map(({ uid }) => uid)).toEqual([draft.id]);
  });

  test("GET /campaigns/{uid}: {campaign, statistics}, zeros and nulls before anything happened", async () => {
    const list = await makeList([]);
    const { id } = await createCampaign(project.ctx, { ...content, listId: list });
    expect(await detail(id)).toEqual({
      campaign: {
        uid: id,
        name: "November",
        list: "Readers",
        segment: null,
        default_subject: "News",
        from_email: "news@sandbox.test",
        from_name: "Example",
        remind_message: "You asked for it",
        status: "new",
        created_at: time,
        updated_at: time,
      },
      statistics: nothingYet,
    });
    const segment = await createSegment(project.ctx, {
      name: "Pro",
      filter: { and: [{ field: "data.plan", op: "eq", value: "pro" }] },
    });
    const otherCampaign = await createCampaign(project.ctx, { ...content, segmentId: segment.id });
    expect((await detail(otherCampaign.id)).campaign).toMatchObject({ list: null, segment: "Pro" });
  });

  test("GET /campaigns/{uid}: every figure is what happened to its mail, machines left out", async () => {
    const list = await makeList(["ada", "grace", "alan", "left", "spam", "gone", "bounced+x"]);
    const { id } = await createCampaign(project.ctx, { ...content, listId: list });
    await sendCampaign(project.ctx, id, {});
    await advance(database.db);
    await dispatchDue({ db: database.db, transport: null });
    const emails = await emailsOf(id);
    const [link] = await database.db.execute<{ id: number }>(sql`
      insert into links (project_id, campaign_id, message_id, url)
      select project_id, id, message_id, 'https://example.com/a' from campaigns
      where id = ${decodeId("campaign", id)}
      on conflict do nothing returning id`);
    const [storedLink] = await database.db.execute<{ id: number }>(sql`
      select id from links where campaign_id = ${decodeId("campaign", id)}
        and url = 'https://example.com/a'`);
    const linkId = BigInt(link?.id ?? storedLink?.id ?? 0);
    const person = {
      userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
      address: "85.214.132.117",
    };
    const open = (name: string, visitor = person) =>
      recordVisits(database.db, [{ emailId: emails[name] ?? "", link: null, visitor }]);
    const click = (name: string, visitor = person) =>
      recordVisits(database.db, [
        {
          emailId: emails[name] ?? "",
          link: { id: linkId, url: "https://example.com/a", links: 1 },
          visitor,
        },
      ]);
    await open("ada");
    await open("ada");
    await open("grace", { ...person, address: "2.2.2.2" });
    await open("alan", { ...person, userAgent: "Mozilla/5.0" });
    await click("ada");
    await click("ada");
    await unsubscribeByToken(database.db, recipientToken(emails["left"] ?? ""));
    for (const [name, report] of [
      ["spam", { type: "spam" }],
      ["gone", { type: "bounced", bounce_type: "hard" }],
    ] as const) {
      const messageId = encodeId("email", emails[name] ?? "");
      await ask("POST", "/notification", { message_id: messageId, ...report });
    }

    const subscribers = (await ask("GET", `/subscribers?list_uid=${list}`)).body as {
      uid: string;
      email: string;
      status: string;
    }[];
    const uidOf = (name: string) =>
      subscribers.find(({ email }) => email === `${name}@sandbox.test`)?.uid;
    // Six were delivered; one of them was reported gone later on.
    expect((await detail(id)).statistics).toEqual({
      subscriber_count: 7,
      uniq_open_rate: 0.3333,
      delivered_rate: 0.8571,
      unique_open_count: 2,
      open_rate: 0.3333,
      uniq_open_count: 2,
      last_open: time,
      click_rate: 0.1667,
      click_count: 2,
      abuse_feedback_count: 1,
      last_click: time,
      bounce_count: 2,
      unsubscribe_count: 1,
      links: ["https://example.com/a"],
      top_locations: ["Germany", "France"],
      top_open_subscribers: [
        { uid: uidOf("ada"), email: "ada@sandbox.test" },
        { uid: uidOf("grace"), email: "grace@sandbox.test" },
      ],
    });
    expect(
      Object.fromEntries(subscribers.map((one) => [one.email.split("@")[0], one.status])),
    ).toEqual({
      ada: "subscribed",
      grace: "subscribed",
      alan: "subscribed",
      left: "unsubscribed",
      spam: "complained",
      gone: "bounced",
      "bounced+x": "bounced",
    });
    await database.travel("1 hour");
    await advance(database.db);
    expect((await detail(id)).campaign).toMatchObject({ status: "done" });
  });

  test("POST /campaigns/{uid}/pause: {status, message}", async () => {
    const { id } = await createCampaign(project.ctx, content);
    await sendCampaign(project.ctx, id, {});
    expect((await ask("POST", `/campaigns/${id}/pause`)).body).toEqual({
      status: 1,
      message: "The campaign was paused",
    });
    expect((await detail(id)).campaign).toMatchObject({ status: "paused" });
    await resumeCampaign(project.ctx, id);
    expect((await detail(id)).campaign).toMatchObject({ status: "sending" });
  });
});

describe("States and transitions", () => {
  test("pausing what is not being sent: status 0, and it stays what it is", async () => {
    const { id } = await createCampaign(project.ctx, content);
    const answer = await ask("POST", `/campaigns/${id}/pause`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 0, message: "Only a campaign that is being sent can be paused" },
    ]);
    expect((await detail(id)).campaign).toMatchObject({ status: "new" });
  });

  test.each<[CampaignStatus, string]>([
    ["DRAFT", "new"],
    ["SCHEDULED", "scheduled"],
    ["SENDING", "sending"],
    ["PAUSED", "paused"],
    ["SENT", "done"],
    ["CANCELLED", "cancelled"],
    ["FAILED", "error"],
  ])("a campaign that is %s is called %s", async (status, name) => {
    const { id } = await createCampaign(project.ctx, content);
    await database.db.execute(sql`
      update campaigns set status = ${status}, due_at = null where id = ${decodeId("campaign", id)}`);
    expect((await detail(id)).campaign).toMatchObject({ status: name });
  });

  test("an A/B test is sending, awaiting_winner, sending again and done, in the list and alone", async () => {
    const own = await makeProject(database.db);
    const client = platformClient(await platformToken(own));
    const uid = (
      (await client("POST", "/lists", { name: "Readers", from_email: "news@sandbox.test" }))
        .body as { list_uid: string }
    ).list_uid;
    for (const name of ["ada", "grace", "alan", "edsger"]) {
      await client("POST", "/subscribers", {
        list_uid: uid,
        EMAIL: `delivered+${name}@sandbox.test`,
      });
    }
    const { id } = await createCampaign(own.ctx, {
      ...content,
      listId: uid,
      abTest: { variants: [{ subject: "One" }, { subject: "Two" }], winnerAfterMinutes: 15 },
    });
    const status = async () => {
      const [listed] = (await client("GET", "/campaigns")).body as { status: string }[];
      const { campaign } = (await client("GET", `/campaigns/${id}`)).body as {
        campaign: { status: string };
      };
      expect(listed?.status).toBe(campaign.status);
      return campaign.status;
    };
    const sendDue = async () => {
      await dispatchDue({ db: database.db, transport: null });
      await database.travel("15 seconds");
      await advance(database.db);
    };
    await sendCampaign(own.ctx, id, {});
    await advance(database.db);
    expect(await status()).toBe("sending");
    await sendDue();
    expect(await status()).toBe("awaiting_winner");
    expect((await client("POST", `/campaigns/${id}/pause`)).body).toMatchObject({ status: 1 });
    expect(await status()).toBe("paused");
    await resumeCampaign(own.ctx, id);
    await database.travel("15 minutes");
    await advance(database.db);
    expect(await status()).toBe("sending");
    await sendDue();
    expect(await status()).toBe("done");
  });
});
