import type { Server } from "node:http";
import { sql } from "drizzle-orm";
import type { Resend } from "resend";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createSegment } from "@/lib/domain/segments/segments";
import { makeProject, type TestProject } from "@/lib/testing";
import { takeMails } from "@/lib/testing/campaign-mail";
import { advance } from "@/lib/testing/campaigns";
import {
  dispatchDue,
  startMailServer,
  verifiedDomain,
  type TestMailServer,
} from "@/lib/testing/delivery";
import { smtpTransport } from "@/lib/testing/mail-servers";
import { dataOf, errorOf, resendClient } from "@/lib/testing/resend-client";
import { close } from "./listen";
import { startWebServer } from "./test-server";

/* Resend's own client on broadcasts, which are campaigns here, and the topics they are about. */
const database = useTestDatabase();
let server: Server;
let mailServer: TestMailServer;
let project: TestProject;
let client: Resend;
/** Of another project. */
let stranger: Resend;
let segmentId: string;

beforeAll(async () => {
  project = await makeProject(database.db);
  await verifiedDomain(database.db, project.projectId, "shop.example");
  const web = await startWebServer();
  server = web.server;
  mailServer = await startMailServer();
  client = resendClient(web.origin, project.apiKey);
  stranger = resendClient(web.origin, (await makeProject(database.db)).apiKey);
  const filter = { and: [{ field: "data.plan", op: "eq" as const, value: "pro" }] };
  segmentId = (await createSegment(project.ctx, { name: "Pro", filter })).id;
  const properties = { plan: "pro" };
  await dataOf(client.contacts.create({ email: "ada@example.org", firstName: "Ada", properties }));
  await dataOf(client.contacts.create({ email: "bob@example.org", properties }));
  await dataOf(client.contacts.create({ email: "eve@example.org" }));
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(async () => {
  await close(server);
  await mailServer.stop();
});

const news = {
  from: "Shop <news@shop.example>",
  subject: "News for {{{FIRST_NAME|you}}}",
  html: '<p>Hi {{{contact.first_name|there}}}, {{{contact.plan}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Leave</a>',
};
const missing = { statusCode: 404, name: "not_found" };
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const wrong = (field: string) => ({
  statusCode: 422,
  message: expect.stringMatching(new RegExp(`^${field}: `)) as string,
});

describe("broadcasts", () => {
  test("reach those of their segment, with Resend's placeholders filled in", async () => {
    const { id } = await dataOf(client.broadcasts.create({ ...news, segmentId, send: true }));
    await advance(database.db);
    await dispatchDue({ db: database.db, transport: smtpTransport(mailServer.url) });
    const mails = await takeMails(mailServer);
    const byAddress = new Map(mails.map((mail) => [mail.to, mail]));
    expect([...byAddress.keys()].toSorted()).toEqual(["ada@example.org", "bob@example.org"]);
    expect(byAddress.get("ada@example.org")?.html).toContain("Hi Ada, pro");
    expect(byAddress.get("bob@example.org")?.html).toContain("Hi there, pro");
    expect(byAddress.get("ada@example.org")?.headers.get("subject")).toBe("News for Ada");
    expect(byAddress.get("ada@example.org")?.html).toMatch(/href="http[^"]+">Leave</);
    const shown = await dataOf(client.broadcasts.get(id));
    expect(shown).toMatchObject({ object: "broadcast", id, segment_id: segmentId });
    expect(shown.sent_at).not.toBeNull();
    expect(await errorOf(client.broadcasts.send(id))).toMatchObject({ statusCode: 409 });
    expect(await errorOf(client.broadcasts.remove(id))).toMatchObject({ statusCode: 409 });
  });

  test("are drafted, changed, scheduled and listed", async () => {
    const draft = {
      ...news,
      audienceId: segmentId,
      name: "November",
      replyTo: "help@shop.example",
    };
    const { id } = await dataOf(client.broadcasts.create(draft));
    expect(await dataOf(client.broadcasts.get(id))).toMatchObject({
      ...{ name: "November", status: "draft", from: news.from, audience_id: segmentId },
      ...{ reply_to: ["help@shop.example"], scheduled_at: null, sent_at: null, topic_id: null },
    });
    const change = { subject: "Other news", previewText: "What is new" };
    expect(await dataOf(client.broadcasts.update(id, change))).toEqual({ id });
    const shown = { subject: "Other news", preview_text: "What is new", segment_id: segmentId };
    expect(await dataOf(client.broadcasts.get(id))).toMatchObject(shown);
    const scheduledAt = soon();
    expect(await dataOf(client.broadcasts.send(id, { scheduledAt }))).toEqual({ id });
    const { data } = await dataOf(client.broadcasts.list({ limit: 1 }));
    expect(data).toMatchObject([{ id, status: "queued", scheduled_at: scheduledAt }]);
    for (const refusal of [
      stranger.broadcasts.get(id),
      stranger.broadcasts.update(id, change),
      stranger.broadcasts.send(id),
      stranger.broadcasts.remove(id),
    ]) {
      expect(await errorOf(refusal)).toMatchObject(missing);
    }
    const other = await dataOf(client.broadcasts.create(draft));
    const removed = { object: "broadcast", id: other.id, deleted: true };
    expect(await dataOf(client.broadcasts.remove(other.id))).toEqual(removed);
    expect(await errorOf(client.broadcasts.get(other.id))).toMatchObject(missing);
  });

  test("that are refused leave nothing behind", async () => {
    const count = async () => (await dataOf(client.broadcasts.list({ limit: 100 }))).data.length;
    const before = await count();
    const create = client.broadcasts.create.bind(client.broadcasts);
    const to = { ...news, segmentId };
    const everybody = { ...news, segmentId: undefined as unknown as string };
    expect(await errorOf(create(everybody))).toMatchObject(wrong("segment_id"));
    const unknown = create({ ...news, segmentId: "seg_1" });
    expect(await errorOf(unknown)).toMatchObject({ ...wrong("segment_id"), statusCode: 404 });
    expect(await errorOf(create({ ...to, from: "nobody" }))).toMatchObject(wrong("from"));
    expect(await errorOf(create({ ...to, html: "{{{COMPANY}}}" }))).toMatchObject(wrong("html"));
    expect(await errorOf(create({ ...to, html: "{% if %}" }))).toMatchObject(wrong("html"));
    const words = create({ ...to, send: true, scheduledAt: "in 1 hour" });
    expect(await errorOf(words)).toMatchObject(wrong("scheduled_at"));
    const unverified = create({ ...to, from: "a@elsewhere.example", send: true });
    expect(await errorOf(unverified)).toMatchObject({ statusCode: 403 });
    expect(await count()).toBe(before);
  });
});

describe("topics", () => {
  test("are created, changed, listed and removed", async () => {
    const topic = { name: "Product news", defaultSubscription: "opt_in" as const };
    const { id } = await dataOf(client.topics.create(topic));
    expect(await dataOf(client.topics.get(id))).toMatchObject({
      ...{ id, name: "Product news", default_subscription: "opt_in" },
    });
    expect(await dataOf(client.topics.update({ id, description: "Monthly" }))).toEqual({ id });
    const { data } = await dataOf(client.topics.list());
    expect(data).toMatchObject([{ id, description: "Monthly" }]);
    const about = await dataOf(client.broadcasts.create({ ...news, segmentId, topicId: id }));
    expect(await dataOf(client.broadcasts.get(about.id))).toMatchObject({ topic_id: id });
    const optOut = { name: "Other", defaultSubscription: "opt_out" as const };
    expect(await errorOf(client.topics.create(optOut))).toMatchObject(
      wrong("default_subscription"),
    );
    expect(await errorOf(client.topics.create(topic))).toMatchObject({ statusCode: 409 });
    for (const refusal of [
      stranger.topics.get(id),
      stranger.topics.update({ id, name: "Mine" }),
      stranger.topics.remove(id),
    ]) {
      expect(await errorOf(refusal)).toMatchObject(missing);
    }
    await dataOf(client.broadcasts.remove(about.id));
    const removed = { object: "topic", id, deleted: true };
    expect(await dataOf(client.topics.remove(id))).toEqual(removed);
    expect(await errorOf(client.topics.get(id))).toMatchObject(missing);
  });
});
