import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { emails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { storedEmail, verifiedDomain } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { startProviderServer, type ProviderServer } from "@/lib/testing/provider-server";
import { ses } from "@/lib/testing/providers/ses";
import { region, snsMessage, startSns, topicArn } from "@/lib/testing/providers/sns";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const { stops } = useMailServers(database);
const app = createTrackingApp();

let sns: ProviderServer;
beforeEach(async () => {
  const started = (sns = await startSns());
  stops.push(() => started.stop());
});

/** A connection to Amazon SES that no topic is known of, and an email that it took. */
async function connected(more: object = {}) {
  const { ctx, projectId, apiKey } = await makeProject(database.db);
  const ask = bearerClient(apiKey);
  const input = { name: "SES", ...ses.input, topicArn: null, ...more };
  const { status, body: connection } = await ask("POST", "/v1/connections", input);
  expect(status).toBe(201);
  const post = (message: Record<string, unknown> | string) => {
    const body = typeof message === "string" ? message : JSON.stringify(message);
    const { pathname } = new URL(connection.webhookUrl as string);
    return app.fetch(new Request(`http://localhost${pathname}`, { method: "POST", body }));
  };
  const topic = async () =>
    (await ask("GET", `/v1/connections/${connection.id}`)).body as {
      topicArn: string | null;
      hasWebhookSecret: boolean;
    };
  const sent = async (providerId: string) => {
    const domain = `d${Math.random().toString(36).slice(2)}.example.com`;
    await verifiedDomain(database.db, projectId, domain);
    const message = { from: `shop@${domain}`, to: ["ada@example.org"], subject: "Hi", body: "Hi" };
    const { body } = await ask("POST", "/v1/send", message);
    const id = decodeId("email", body.data.emails[0].email as string) ?? "";
    await database.db
      .update(emails)
      .set({ status: "SENT", providerId, sentAt: new Date() })
      .where(eq(emails.id, id));
    return () => storedEmail(database.db, id);
  };
  return { ctx, ask, connection, post, topic, sent };
}

const notification = (event: unknown, more: Record<string, string> = {}) =>
  snsMessage("Notification", { Message: JSON.stringify(event), ...more });
const delivery = (messageId: string) => ({
  notificationType: "Delivery",
  mail: { messageId },
  delivery: { smtpResponse: "250 OK" },
});

describe("Amazon SNS at a connection's webhook", () => {
  it("has its subscription confirmed, and the first topic stays the only one", async () => {
    const { post, topic, sent } = await connected();
    const stored = await sent("0107-one");
    expect((await post(notification(delivery("0107-one")))).status).toBe(403);
    expect(await topic()).toMatchObject({ topicArn: null, hasWebhookSecret: false });

    expect((await post(snsMessage("SubscriptionConfirmation"))).status).toBe(200);
    expect(sns.calls.at(-1)?.path).toContain(encodeURIComponent(topicArn));
    expect(await topic()).toMatchObject({ topicArn, hasWebhookSecret: true });

    const asked = sns.calls.length;
    const TopicArn = `${topicArn}-of-somebody-else`;
    expect((await post(snsMessage("SubscriptionConfirmation", { TopicArn }))).status).toBe(403);
    expect((await post(notification(delivery("0107-one"), { TopicArn }))).status).toBe(403);
    expect(sns.calls).toHaveLength(asked);
    expect((await stored()).status).toBe("SENT");

    expect((await post(notification(delivery("0107-one")))).status).toBe(200);
    expect((await stored()).status).toBe("DELIVERED");
    expect((await post(snsMessage("UnsubscribeConfirmation"))).status).toBe(200);
    expect((await post(snsMessage("SubscriptionConfirmation"))).status).toBe(200);
  });

  it("signs by either version, with a subject or without", async () => {
    const { post, sent } = await connected({ topicArn });
    const stored = await sent("0107-two");
    const event = { ...delivery("0107-two"), notificationType: "Complaint", complaint: {} };
    const more = { SignatureVersion: "2", Subject: "Amazon SES Email Event Notification" };
    expect((await post(notification(event, more))).status).toBe(200);
    expect((await stored()).status).toBe("COMPLAINED");
  });

  it.each([
    ["another's key", () => snsMessage("Notification", {}, { wrong: true })],
    ["a changed text", () => ({ ...snsMessage("Notification"), Message: "{}" })],
    ["a time two hours ago", () => snsMessage("Notification", { Timestamp: hoursAgo(2) })],
    ["a time in the future", () => snsMessage("Notification", { Timestamp: hoursAgo(-1) })],
    [
      "a certificate of another host",
      () => snsMessage("Notification", { SigningCertURL: "https://sns.example.com/x.pem" }),
    ],
    [
      "a host that only begins like one of Amazon's",
      () =>
        snsMessage("Notification", {
          SigningCertURL: `https://sns.${region}.amazonaws.com.example.com/SimpleNotificationService-0123456789abcdef.pem`,
        }),
    ],
    [
      "a certificate that SNS does not have",
      () =>
        snsMessage("Notification", {
          SigningCertURL: `https://sns.${region}.amazonaws.com/SimpleNotificationService-ffffffffffffffff.pem`,
        }),
    ],
    [
      "a file of another name at Amazon's host",
      () =>
        snsMessage("Notification", { SigningCertURL: `https://sns.${region}.amazonaws.com/x.pem` }),
    ],
    ["nothing that SNS would write", () => ({ Type: "Notification" })],
    ["no JSON", () => "{"],
  ])("is not believed with %s", async (_, message) => {
    const { post } = await connected({ topicArn });
    expect((await post(message())).status).toBe(401);
  });

  it("gets no subscription confirmed at another place, or by another topic's token", async () => {
    const { post, topic } = await connected();
    const confirm = "Action=ConfirmSubscription&Token=abc123";
    for (const SubscribeURL of [
      `https://example.com/?${confirm}&TopicArn=${topicArn}`,
      `https://sns.${region}.amazonaws.com@example.com/?${confirm}&TopicArn=${topicArn}`,
      `https://sns.us-east-1.amazonaws.com/?${confirm}&TopicArn=${topicArn}`,
      `https://sns.${region}.amazonaws.com/?${confirm}&TopicArn=${topicArn}2`,
      `https://sns.${region}.amazonaws.com/?Action=Publish&TopicArn=${topicArn}`,
    ]) {
      const message = snsMessage("SubscriptionConfirmation", { SubscribeURL });
      expect((await post(message)).status).toBe(401);
    }
    expect((await topic()).topicArn).toBeNull();
    expect(sns.calls.some(({ path }) => path.includes("Action"))).toBe(false);
    const elsewhere = { TopicArn: topicArn.replace(region, "us-east-1") };
    expect((await post(snsMessage("SubscriptionConfirmation", elsewhere))).status).toBe(403);
  });

  it("is asked to try again while its certificate cannot be fetched, which it is not from where it redirects to", async () => {
    const { post } = await connected({ topicArn });
    const SigningCertURL = `https://sns.${region}.amazonaws.com/SimpleNotificationService-abcdef0123456789.pem`;
    sns.answer = () => undefined;
    const message = snsMessage("Notification", { SigningCertURL });
    expect((await post(message)).status).toBe(503);
    sns.answer = () => ({ status: 302, headers: { location: "http://127.0.0.1:9/" } });
    expect((await post(message)).status).toBe(401);
  });

  it.each([
    ["what the server did", { action: "failed" }],
    ["a status", { status: "4.4.7" }],
    ["the server's words", { diagnosticCode: "smtp; 421 Try later" }],
  ])("counts a passing bounce of no certain kind where it has %s", async (_, recipient) => {
    const { post, sent } = await connected({ topicArn });
    const stored = await sent("0107-five");
    const bounce = {
      bounceType: "Transient",
      bounceSubType: "General",
      bouncedRecipients: [{ emailAddress: "ada@example.org", ...recipient }],
    };
    await post(notification({ eventType: "Bounce", mail: { messageId: "0107-five" }, bounce }));
    expect((await stored()).status).toBe("BOUNCED");
  });

  it("says nothing of an automatic reply, and what its list holds back has bounced", async () => {
    const { post, sent } = await connected({ topicArn });
    const stored = await sent("0107-three");
    const mail = { messageId: "0107-three" };
    const bounce = { bounceType: "Transient", bounceSubType: "General" };
    const away = { ...bounce, bouncedRecipients: [{ emailAddress: "ada@example.org" }] };
    await post(notification({ notificationType: "Bounce", mail, bounce: away }));
    await post(notification({ eventType: "Click", mail, click: {} }));
    expect((await stored()).status).toBe("SENT");
    const held = { bounceType: "Permanent", bounceSubType: "OnAccountSuppressionList" };
    await post(notification({ eventType: "Bounce", mail, bounce: held }));
    expect((await stored()).status).toBe("BOUNCED");
  });
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe("a connection to Amazon SES", () => {
  it("has a region of AWS, a topic in it, and another secret with another key", async () => {
    const { ask, connection } = await connected({ topicArn });
    const path = `/v1/connections/${connection.id}`;
    for (const [field, change] of [
      ["region", { region: "eu-central-1.example.com" }],
      ["region", { region: "us" }],
      ["topicArn", { topicArn: topicArn.replace(region, "us-east-1") }],
      ["topicArn", { topicArn: "arn:aws:sqs:eu-central-1:123456789012:queue" }],
      ["secretAccessKey", { accessKeyId: "AKIAIOSFODNN8EXAMPLE" }],
      ["apiKey", { apiKey: "x" }],
    ] as const) {
      const { status, body } = await ask("PATCH", path, change);
      expect([status, body.error.details?.[0]?.path]).toEqual([400, field]);
    }
    const { body } = await ask("PATCH", path, { region: "us-east-1" });
    expect(body).toMatchObject({ region: "us-east-1", topicArn: null });
  });

  it("is tested without sending, and says that the account is in the sandbox", async () => {
    const account = { SendingEnabled: true, ProductionAccessEnabled: false };
    const provider = await startProviderServer(ses.endpoint, () => ({
      status: 200,
      json: account,
    }));
    stops.push(() => provider.stop());
    const { ask, connection } = await connected();
    const test = async () =>
      (await ask("POST", `/v1/connections/${connection.id}/test`)).body as { ok: boolean };
    expect(await test()).toMatchObject({ ok: true, words: expect.stringContaining("sandbox") });
    expect(provider.calls).toMatchObject([{ method: "GET", path: "/v2/email/account" }]);
    account.SendingEnabled = false;
    expect(await test()).toMatchObject({ ok: false });
    provider.answer = () => ses.refusesKey;
    expect(await test()).toMatchObject({
      ok: false,
      words: expect.stringContaining("InvalidSignatureException"),
    });
  });

  it("has its mail found by the Message-ID that Amazon gives it", async () => {
    const { ctx, sent } = await connected({ topicArn });
    const stored = await sent("0107-four");
    const report = { kind: "delivered" } as const;
    await recordReport(ctx, "<0107-four@eu-central-1.amazonses.com>", report);
    expect((await stored()).status).toBe("DELIVERED");
    await expect(recordReport(ctx, "<0107-four@example.com>", report)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
