import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { contacts, emails, suppressions } from "@/db/schema";
import { eq, sql } from "drizzle-orm";
import { useTestDatabase } from "@/db/testing";
import { getConnection } from "@/lib/domain/connections/connections";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { storedEmail, verifiedDomain } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { startProviderServer } from "@/lib/testing/provider-server";
import type { HandedMail, Happening } from "@/lib/testing/providers/played-provider";
import { playedProviders } from "@/lib/testing/providers/played-providers";
import { until } from "@/lib/testing/until";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const { mailServer, stops } = useMailServers(database);
const app = createTrackingApp();

type Kind = keyof typeof playedProviders;
const kinds = Object.keys(playedProviders) as Kind[];

function startDispatcher(url: string) {
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(url) });
  const running = dispatcher.run(stop.signal);
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
}

/** A project whose mail leaves through a provider played here. */
async function connected(kind: Kind) {
  const played = playedProviders[kind];
  const provider = await startProviderServer(played.endpoint, (call) =>
    played.answer(call, provider.calls.indexOf(call)),
  );
  stops.push(() => provider.stop());
  const proof = await played.startProof?.();
  if (proof) stops.push(() => proof.stop());
  const installation = await mailServer();
  const { ctx, projectId, apiKey } = await makeProject(database.db);
  const domain = `d${Math.random().toString(36).slice(2)}.example.com`;
  await verifiedDomain(database.db, projectId, domain);
  const ask = bearerClient(apiKey);
  const input = { name: "Provider", standard: true, ...played.input };
  const { status, body: connection } = await ask("POST", "/v1/connections", input);
  expect(status).toBe(201);
  const send = async (to: string[], more: object = {}) => {
    const { body } = await ask("POST", "/v1/send", {
      ...{ from: `Shop <shop@${domain}>`, to, subject: "Grüße", body: "<p>Hello <b>you</b></p>" },
      ...more,
    });
    return (body.data.emails as { email: string }[]).map(({ email }) => email);
  };
  const report = (event: unknown, wrong = false, url: string = connection.webhookUrl) => {
    const { headers, body } = played.call(event, url, wrong);
    const { pathname } = new URL(connection.webhookUrl as string);
    return app.fetch(new Request(`http://localhost${pathname}`, { method: "POST", headers, body }));
  };
  const handed = () => {
    const taken = provider.calls.filter(played.takes);
    return Promise.all(taken.map((call) => played.mail(call, provider.calls.indexOf(call))));
  };
  const stored = (id: string) => storedEmail(database.db, decodeId("email", id) ?? "");
  startDispatcher(installation.url);
  return {
    ...{ ctx, ask, connection, installation, provider, played },
    send,
    report,
    handed,
    stored,
  };
}

const binary = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256));
const picture = Buffer.from("89504e470d0a1a0a", "hex");

describe.each(kinds)("mail through %s", (kind) => {
  it("goes the whole way, and what the provider reports of it is what becomes of it", async () => {
    const { ask, connection, installation, played, send, report, handed, stored } =
      await connected(kind);
    const people = ["ada@example.org", "bob@example.org", "eve@example.org"];
    const ids = await send(people, {
      body: '<p>Hello <b>you</b> <img src="cid:logo"></p>',
      headers: { "X-Order": "4711" },
      attachments: [
        {
          filename: "data.bin",
          content: binary.toString("base64"),
          contentType: "application/octet-stream",
        },
        {
          filename: "logo.png",
          content: picture.toString("base64"),
          contentType: "image/png",
          contentId: "logo",
        },
      ],
    });
    await until(async () =>
      (await Promise.all(ids.map(stored))).every(({ status }) => status === "SENT"),
    );
    const mails = await handed();
    expect(mails.map(({ to }) => to).sort()).toEqual(people);
    expect(installation.mails).toEqual([]);
    for (const mail of mails) {
      expect(ids).toContain(mail.id);
      const byName = new Map(mail.attachments.map((part) => [part.name, part]));
      expect(byName.get("data.bin")?.content.equals(binary)).toBe(true);
      expect(byName.get("logo.png")).toMatchObject({ contentId: "logo", content: picture });
      expect(mail.html).toContain("cid:logo");
      expect(mail.text).toContain("Hello you");
      expect(mail.headers).toMatchObject({ "X-Order": "4711" });
      expect("DKIM-Signature" in mail.headers).toBe(kind === "mailgun");
      const found = await database.db.$count(emails, eq(emails.providerId, mail.providerId));
      expect(found).toBeGreaterThan(0);
    }

    const mailOf = (index: number) => mails.find(({ id }) => id === ids[index]) as HandedMail;
    const tell = async (happening: Happening, mail: HandedMail) => {
      const { status } = await report(played.event(happening, mail));
      expect(status).toBe(200);
    };
    const [ada, bob, eve] = [mailOf(0), mailOf(1), mailOf(2)];
    expect((await report(played.event("complained", ada), true)).status).toBe(401);
    await tell("opened", ada);
    expect((await stored(ada.id)).status).toBe("SENT");
    await tell("delayed", ada);
    // Found by the provider's name alone.
    await tell("delivered", { ...ada, id: "" });
    await tell("delivered", ada);
    await tell("delayed", ada);
    await tell("bounced", bob);
    await tell("delivered", bob);
    await tell("bounced", bob);
    await tell("delivered", eve);
    await tell("complained", eve);
    await tell("complained", eve);
    const rows = await Promise.all(ids.map(stored));
    expect(rows.map(({ status }) => status)).toEqual(["DELIVERED", "BOUNCED", "COMPLAINED"]);
    const namesOf = (index: number) => rows[index]?.events.map(({ name }) => name);
    expect(namesOf(0)).toEqual(["sent", "deferred", "delivered"]);
    expect(namesOf(1)).toEqual(["sent", "bounced"]);
    expect(namesOf(2)).toEqual(["sent", "delivered", "complained"]);
    expect(rows[1]?.events[1]?.data).toMatchObject({
      ...{ type: "hard", code: 550, enhancedCode: "5.1.1", cause: "invalid_address" },
      via: "provider",
    });
    const { body: suppressed } = await ask("GET", "/v1/suppressions");
    const addresses = suppressed.data as { email: string }[];
    expect(addresses.map(({ email }) => email).sort()).toEqual([
      "bob@example.org",
      "eve@example.org",
    ]);
    const { apiKey, secretAccessKey } = played.input;
    expect(JSON.stringify(connection)).not.toContain(apiKey ?? secretAccessKey);
  });

  it("that a full mailbox sent back bounced, and its address stays", async () => {
    const { ctx, played, send, report, handed, stored } = await connected(kind);
    const [id = ""] = await send(["full@example.org"], {});
    await until(async () => (await stored(id)).status === "SENT");
    const [mail] = await handed();
    expect((await report(played.event("soft", mail as HandedMail))).status).toBe(200);
    const { status, events } = await stored(id);
    expect(status).toBe("BOUNCED");
    expect(events.at(-1)?.data).toMatchObject({ type: "soft", cause: "mailbox_full" });
    const count = await database.db.$count(suppressions, eq(suppressions.projectId, ctx.projectId));
    expect(count).toBe(0);
  });

  it("of another project is out of reach", async () => {
    const mine = await connected(kind);
    const [id = ""] = await mine.send(["ada@example.org"]);
    await until(async () => (await mine.stored(id)).status === "SENT");
    const [mail] = await mine.handed();
    const { body: theirs } = await bearerClient((await makeProject(database.db)).apiKey)(
      "POST",
      "/v1/connections",
      { name: "Theirs", ...mine.played.input },
    );
    const event = mine.played.event("bounced", mail as HandedMail);
    const { headers, body } = mine.played.call(event, theirs.webhookUrl as string);
    const url = `http://localhost${new URL(theirs.webhookUrl as string).pathname}`;
    const { status } = await app.fetch(new Request(url, { method: "POST", headers, body }));
    expect(status).toBe(200);
    expect((await mine.stored(id)).status).toBe("SENT");
  });

  it("waits for a key that is accepted, and its owner is told", async () => {
    const { ask, ctx, connection, provider, played, send, stored } = await connected(kind);
    const { answer } = provider;
    provider.answer = () => played.refusesKey;
    const [id = ""] = await send(["ada@example.org"]);
    const path = `/v1/connections/${connection.id}`;
    await until(
      async () => (await getConnection(ctx, connection.id as string)).state.name === "refused",
    );
    await until(async () => {
      const [row] = await database.db.execute<{ told: boolean }>(sql`
        select told_at is not null as told from sending_connections
        where id = ${decodeId("connection", connection.id as string)}`);
      return row?.told === true;
    });
    expect((await ask("POST", `${path}/test`)).body).toMatchObject({ ok: false });
    expect((await stored(id)).status).toBe("PENDING");
    provider.answer = answer;
    await ask("PATCH", path, played.anotherKey);
    await until(async () => (await stored(id)).status === "SENT");
  });

  it("goes slower while the provider asks for less or is in trouble, and nothing fails", async () => {
    const { ctx, connection, provider, played, send } = await connected(kind);
    const { answer } = provider;
    let refusals = 0;
    provider.answer = () =>
      ++refusals % 2 === 0
        ? { status: 500, json: { message: "Internal error" } }
        : { status: 429, headers: { "retry-after": "0.05" }, json: { message: "Too many" } };
    await send(Array.from({ length: 20 }, (_, index) => `p${index}@example.org`));
    await until(
      async () => (await getConnection(ctx, connection.id as string)).state.name === "throttled",
    );
    provider.answer = answer;
    const statuses = async () => {
      await database.db.execute(sql`
        update email_queue set due_at = app_now()
        where project_id = ${ctx.projectId} and due_at < 'infinity' and lease_id is null`);
      await database.db.execute(sql`notify emails_due`);
      const rows = await database.db.execute<{ status: string; n: number }>(sql`
        select status, count(*)::int as n from emails where project_id = ${ctx.projectId} group by 1`);
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    };
    await until(async () => (await statuses())["SENT"] === 20, { seconds: 30 });
    expect(played.takes(provider.calls[0] as never)).toBe(true);
  });
});

describe("a call of a webhook", () => {
  const post = (url: string, call: { headers?: Record<string, string>; body: string }) =>
    app.fetch(new Request(`http://localhost${new URL(url).pathname}`, { method: "POST", ...call }));

  async function sentThrough(kind: Kind) {
    const all = await connected(kind);
    const [id = ""] = await all.send(["ada@example.org"]);
    await until(async () => (await all.stored(id)).status === "SENT");
    const [mail] = await all.handed();
    return { ...all, id, mail: mail as HandedMail, url: all.connection.webhookUrl as string };
  }

  it("by Mailgun is repeated with the same words, and its signature is good for no others", async () => {
    const { played, id, mail, url, stored } = await sentThrough("mailgun");
    const first = played.call(played.event("delivered", mail), url);
    expect((await post(url, first)).status).toBe(200);
    expect((await post(url, first)).status).toBe(200);
    const { signature } = JSON.parse(first.body) as { signature: object };
    const forged = JSON.stringify({ signature, "event-data": played.event("complained", mail) });
    expect((await post(url, { ...first, body: forged })).status).toBe(401);
    expect((await stored(id)).status).toBe("DELIVERED");
    const timestamp = String(Math.floor(Date.now() / 1000) - 13 * 60 * 60);
    const token = "an-old-token-an-old-token";
    const old = createHmac("sha256", String(played.input["webhookSecret"]));
    const stale = {
      signature: { timestamp, token, signature: old.update(timestamp + token).digest("hex") },
      "event-data": played.event("complained", mail),
    };
    expect((await post(url, { body: JSON.stringify(stale) })).status).toBe(401);
  });

  it("by Resend is refused after five minutes", async () => {
    const { played, id, mail, url, stored } = await sentThrough("resend");
    const body = JSON.stringify(played.event("complained", mail));
    const timestamp = String(Math.floor(Date.now() / 1000) - 301);
    const key = Buffer.from(String(played.input["webhookSecret"]).slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`msg_1.${timestamp}.${body}`);
    const headers = {
      "svix-id": "msg_1",
      "svix-timestamp": timestamp,
      "svix-signature": `v1,${signature.digest("base64")}`,
    };
    expect((await post(url, { headers, body })).status).toBe(401);
    expect((await stored(id)).status).toBe("SENT");
  });

  it("that says what nobody understands, or too much, changes nothing", async () => {
    const { ask, connection, played, id, mail, url, report, stored } =
      await sentThrough("postmark");
    for (const event of [null, [], 7, { RecordType: "Eclipse" }, { RecordType: "Bounce" }]) {
      expect((await report(event)).status).toBe(200);
    }
    const unknown = { ...mail, id: "em_01kat4rz8sfq3v6d1mpx3k6w9j", providerId: "nobody's" };
    expect((await report(played.event("bounced", unknown))).status).toBe(200);
    const { headers } = played.call({}, url);
    expect((await post(url, { headers, body: "{" })).status).toBe(400);
    const large = JSON.stringify({ RecordType: "Bounce", Content: "x".repeat(5 * 1024 * 1024) });
    expect((await post(url, { headers, body: large })).status).toBe(413);
    expect((await app.fetch(new Request(`http://localhost${new URL(url).pathname}`))).status).toBe(
      405,
    );
    const nobodys = url.replace(String(connection.id), "scn_01kat4rz8sfq3v6d1mpx3k6w9j");
    expect((await post(nobodys, { headers, body: "{}" })).status).toBe(404);
    expect((await stored(id)).status).toBe("SENT");
    const { body } = await ask("PATCH", `/v1/connections/${connection.id}`, {
      host: "x.example.com",
    });
    expect(body.error.details).toMatchObject([{ path: "host" }]);
  });

  it("that ends a subscription does so once: who subscribes again is left alone", async () => {
    const { ctx, id, mail, report } = await sentThrough("postmark");
    const mine = eq(contacts.projectId, ctx.projectId);
    const subscribe = () => database.db.update(contacts).set({ consent: "subscribed" }).where(mine);
    const consent = async () =>
      (await database.db.select({ consent: contacts.consent }).from(contacts).where(mine))[0]
        ?.consent;
    await subscribe();
    const event = {
      ...{ RecordType: "SubscriptionChange", SuppressSending: true, Origin: "Recipient" },
      SuppressionReason: "ManualSuppression",
      ...{ MessageID: mail.providerId, Metadata: { "lettermill-id": id } },
    };
    expect((await report(event)).status).toBe(200);
    expect(await consent()).toBe("unsubscribed");
    await subscribe();
    await report(event);
    expect(await consent()).toBe("subscribed");
  });
});
