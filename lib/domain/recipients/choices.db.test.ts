import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { changePreferences } from "@/lib/domain/opt-outs/change-preferences";
import { getPreferences } from "@/lib/domain/opt-outs/preferences";
import type { PreferenceChange } from "@/lib/domain/opt-outs/schema";
import { createTopic, deleteTopic, listTopics } from "@/lib/domain/topics/topics";
import { decodeId } from "@/lib/ground/ids/ids";
import { contactToken } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { advance } from "@/lib/testing/campaigns";
import { useMailServers } from "@/lib/testing/mail-servers";
import { explainRecipient } from "./explain";

const database = useTestDatabase();
const { dispatch, mailServer, sender } = useMailServers(database);

async function stand() {
  const { ctx, domain } = await sender();
  const server = await mailServer();
  const [ada, ben] = [`ada@example.org`, `ben@example.org`];
  for (const email of [ada, ben]) await upsertContact(ctx, { email, unsubscribed: false });
  const adasId = (await getContact(ctx, ada)).id;
  const token = contactToken(decodeId("contact", adasId) ?? "");
  const topic = await createTopic(ctx, { name: "Events" });
  const choose = (change: PreferenceChange) => changePreferences(database.db, token, change);
  /** Sends a campaign for real; resolves to whom it reached. */
  const send = async (topicId: string | null = null, meanwhile?: () => Promise<unknown>) => {
    const before = server.mails.length;
    const { id } = await createCampaign(ctx, {
      ...{ name: "News", subject: "News", from: `news@${domain}`, body: "<p>Hello</p>", topicId },
    });
    await sendCampaign(ctx, id, {});
    await advance(database.db);
    await meanwhile?.();
    await dispatch(server.url);
    await advance(database.db);
    const to = server.mails.slice(before).map((mail) => mail.to[0]);
    return { id, to: to.sort() };
  };
  const why = async (id: string) => (await explainRecipient(ctx, id, ada)).code;
  return { ctx, ada, ben, token, topic, choose, send, why };
}

describe("a campaign reaches", () => {
  test("nobody who left its topic, and those who came back; other topics reach them still", async () => {
    const { ctx, ada, ben, topic, choose, send, why } = await stand();
    expect(await choose({ action: "leave-topic", topic: topic.id })).toBe("changed");
    expect(await choose({ action: "leave-topic", topic: topic.id })).toBe("unchanged");
    expect(await estimateAudience(ctx, { topicId: topic.id })).toMatchObject({
      ...{ count: 1, total: 2, excluded: { left_topic: 1, paused: 0, less_often: 0 } },
    });
    const first = await send(topic.id);
    expect(first.to).toEqual([ben]);
    expect(await why(first.id)).toBe("left_topic");
    expect((await send()).to).toEqual([ada, ben]);
    expect((await listTopics(ctx)).data[0]?.departures).toBe(1);
    expect(await choose({ action: "join-topic", topic: topic.id })).toBe("changed");
    expect((await send(topic.id)).to).toEqual([ada, ben]);
    // What kept them out then still did.
    expect(await why(first.id)).toBe("left_topic");
  });

  test("nobody who takes a break, until it ends or is ended", async () => {
    const { ctx, ada, ben, choose, send, why } = await stand();
    await choose({ action: "pause", days: "30" });
    expect((await getContact(ctx, ada)).state).toBe("paused");
    expect(await estimateAudience(ctx, {})).toMatchObject({ count: 1, excluded: { paused: 1 } });
    const first = await send();
    expect(first.to).toEqual([ben]);
    expect(await why(first.id)).toBe("paused");
    expect(await choose({ action: "resume" })).toBe("changed");
    expect((await send()).to).toEqual([ada, ben]);
    expect(await why(first.id)).toBe("paused");
    await choose({ action: "pause", days: "90" });
    await database.travel("91 days");
    expect((await getContact(ctx, ada)).state).toBe("reachable");
    expect((await send()).to).toEqual([ada, ben]);
  });

  test("once a week at most those who asked for it", async () => {
    const { ctx, ada, ben, choose, send, why } = await stand();
    await choose({ action: "weekly" });
    expect((await send()).to).toEqual([ada, ben]);
    expect(await estimateAudience(ctx, {})).toMatchObject({
      count: 1,
      excluded: { less_often: 1 },
    });
    const second = await send();
    expect(second.to).toEqual([ben]);
    expect(await why(second.id)).toBe("less_often");
    await database.travel("8 days");
    expect((await send()).to).toEqual([ada, ben]);
    await choose({ action: "normal" });
    expect((await send()).to).toEqual([ada, ben]);
  });

  test("nobody who leaves its topic or takes a break while it is being sent", async () => {
    const { ben, topic, choose, send, why } = await stand();
    const leaving = await send(topic.id, () => choose({ action: "leave-topic", topic: topic.id }));
    expect(leaving.to).toEqual([ben]);
    expect(await why(leaving.id)).toBe("left_topic");
    const pausing = await send(null, () => choose({ action: "pause", days: "30" }));
    expect(pausing.to).toEqual([ben]);
    expect(await why(pausing.id)).toBe("paused");
  });
});

describe("the history of consent", () => {
  test("has each choice with what was read, from where, and why", async () => {
    const { ctx, ada, token, topic } = await stand();
    const evidence = { ipAddress: "192.0.2.7", userAgent: "Reader/1", text: "Leave everything?" };
    const choose = (change: PreferenceChange) =>
      changePreferences(database.db, token, change, evidence);
    await choose({ action: "leave-topic", topic: topic.id });
    await choose({ action: "pause", days: "30" });
    await choose({ action: "leave-all", reason: "too_often", comment: "Every day!" });
    const { data } = await listSubscriptionChanges(ctx, ada, { limit: 10 });
    expect(data.slice(0, 3)).toMatchObject([
      { kind: "subscription", after: "unsubscribed", reason: "too_often", comment: "Every day!" },
      { kind: "pause", after: "paused", until: expect.any(String) as string },
      { kind: "topic", after: "unsubscribed", topic: { id: topic.id, name: "Events" } },
    ]);
    for (const change of data.slice(0, 3)) {
      const { text, ipAddress, userAgent } = change;
      expect({ text, ipAddress, userAgent }).toEqual(evidence);
    }
  });

  test("cannot be changed, deleted or emptied by any statement", async () => {
    const { token } = await stand();
    const evidence = { ipAddress: "192.0.2.7", userAgent: "Reader/1", text: "?" };
    await changePreferences(database.db, token, { action: "leave-all" }, evidence);
    for (const statement of [
      "update consent_changes set origin = 'user'",
      "delete from consent_changes",
      "truncate consent_changes",
      "update consent_texts set text = ''",
      "delete from consent_texts",
      "truncate consent_texts",
    ]) {
      await expect(database.db.execute(sql.raw(statement)), statement).rejects.toMatchObject({
        cause: { code: "23001" },
      });
    }
  });

  test("leaves with a person who is erased, but for what proves that they objected", async () => {
    const { ctx, ada, ben, choose } = await stand();
    await choose({ action: "leave-all" });
    await deleteContact(ctx, ada);
    await deleteContact(ctx, ben);
    const rows = await database.db.execute(sql`
      select objected_by, objected_at is not null as dated from forgotten_addresses
      where project_id = ${ctx.projectId} order by objected_by nulls last`);
    expect([...rows]).toEqual([
      { objected_by: "link", dated: true },
      { objected_by: null, dated: false },
    ]);
    const kept = await database.db.execute(sql`
      select from consent_changes where project_id = ${ctx.projectId}`);
    expect(kept.length).toBe(0);
  });
});

describe("a topic", () => {
  test("of another project can be neither left nor carried, and one in use stays", async () => {
    const { ctx, topic, choose, token } = await stand();
    const other = await makeProject(database.db);
    const foreign = await createTopic(other.ctx, { name: "Events" });
    expect(await choose({ action: "leave-topic", topic: foreign.id })).toBe("unchanged");
    expect(await choose({ action: "leave-topic", topic: "top_nothing" })).toBe("unchanged");
    const draft = { name: "N", subject: "S", from: "a@sandbox.test", body: "B" };
    await expect(createCampaign(ctx, { ...draft, topicId: foreign.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const preferences = await getPreferences(database.db, token);
    expect(preferences).toMatchObject({ topics: [{ id: topic.id, left: false }] });
    await expect(createTopic(ctx, { name: "EVENTS" })).rejects.toMatchObject({ code: "CONFLICT" });
    const { id } = await createCampaign(ctx, { ...draft, topicId: topic.id });
    // The database's clock was moved on by the tests before.
    const later = new Date(Date.now() + 200 * 86_400_000).toISOString();
    await sendCampaign(ctx, id, { scheduledAt: later });
    await expect(deleteTopic(ctx, topic.id)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
