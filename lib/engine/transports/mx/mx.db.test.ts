import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { dispatchDue, send, smtpError, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { useReceivers } from "@/lib/testing/receivers";
import { until } from "@/lib/testing/until";
import { deliverDue, makeWebhook, startEndpoint } from "@/lib/testing/webhooks";

const database = useTestDatabase();
const { sender } = useMailServers(database);
const { dns, host, mx, stops, transport } = useReceivers();

const dispatch = (over = transport()) => dispatchDue({ db: database.db, transport: over });
const stored = (ids: string[]) => Promise.all(ids.map((id) => storedEmail(database.db, id)));
const people = (count: number, domain: string) =>
  Array.from({ length: count }, (_, index) => `p${index}@${domain}`);

describe("mail to the receivers' own servers", () => {
  it("goes to each receiver's server, is DELIVERED with its 250, and webhooks are told", async () => {
    const { ctx, domain } = await sender();
    const endpoint = await startEndpoint();
    stops.unshift(() => endpoint.stop());
    await makeWebhook(ctx, endpoint.url, ["email.sent", "email.delivered"]);
    const one = await host("mx.one.example", 2);
    const two = await host("mx.two.example", 3);
    mx("one.example", "mx.one.example");
    mx("two.example", "mx.two.example");
    const ids = await send(ctx, { from: `shop@${domain}`, to: ["a@one.example", "b@two.example"] });
    await dispatch();
    expect(one.mails.map(({ to }) => to)).toEqual([["a@one.example"]]);
    expect(two.mails.map(({ to }) => to)).toEqual([["b@two.example"]]);
    expect(one.mails[0]?.session.hostNameAppearsAs).toBe("mail.example.net");
    const [email] = await stored(ids);
    expect(email).toMatchObject({ status: "DELIVERED", waits: false, attempts: 1 });
    expect(email?.delivered_at).not.toBeNull();
    expect(email?.events).toMatchObject([
      { name: "sent", data: { code: 250, host: "mx.one.example" } },
      { name: "delivered", data: { host: "mx.one.example" } },
    ]);
    const [figures] = await database.db.execute(sql`
      select sum(sent)::int as sent, sum(delivered)::int as delivered, sum(inferred)::int as inferred
      from hourly_figures where project_id = ${ctx.projectId}`);
    expect(figures).toEqual({ sent: 2, delivered: 2, inferred: 0 });
    await deliverDue(database.db);
    expect(endpoint.calls.map(({ payload }) => payload.type).toSorted()).toEqual([
      ...["email.delivered", "email.delivered", "email.sent", "email.sent"],
    ]);
  });

  it("goes to the next host when the first is away or greets with 4xx, and once to a host of many domains", async () => {
    const { ctx, domain } = await sender();
    const full = await host("full.example", 4, {
      onConnect: (_, callback) => callback(smtpError(421, "4.3.2 Too busy")),
    });
    const second = await host("second.example", 5);
    dns().addresses("away.example", "127.0.0.6");
    mx("a.example", "away.example", "full.example", "second.example");
    mx("b.example", "second.example");
    dns().addresses("c.example", "127.0.0.5");
    const to = ["x@a.example", "y@b.example"];
    const ids = await send(ctx, { from: `shop@${domain}`, to });
    const over = transport();
    await dispatch(over);
    const [bare = ""] = await send(ctx, { from: `shop@${domain}`, to: "z@c.example" });
    await dispatch(transport());
    expect(full.mails).toEqual([]);
    expect(second.mails).toHaveLength(3);
    expect((await stored([...ids, bare])).map(({ status }) => status)).toEqual(
      ids.concat(bare).map(() => "DELIVERED"),
    );
    // away.example, full.example and one pool for both domains at second.example.
    expect(over.keptHosts).toBeLessThanOrEqual(3);
  });

  it("bounces for good where a domain takes no mail, does not exist, or leads nowhere", async () => {
    const { ctx, domain } = await sender();
    dns().mx("null.example", { priority: 0, exchange: "." });
    const to = ["a@null.example", "b@nowhere.example"];
    const [none, gone] = await stored(
      await send(ctx, { from: `shop@${domain}`, to }).then(async (ids) => {
        await dispatch();
        return ids;
      }),
    );
    expect(none).toMatchObject({
      status: "BOUNCED",
      events: [
        {
          data: {
            type: "hard",
            enhancedCode: "5.1.10",
            response: "The domain null.example says that it takes no mail.",
          },
        },
      ],
    });
    expect(gone).toMatchObject({
      status: "BOUNCED",
      events: [{ data: { type: "hard", enhancedCode: "5.1.2" } }],
    });
  });

  it("waits where the name servers do not even know a large provider", async () => {
    const { ctx, domain } = await sender();
    const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: "b@nowhere.example" });
    await dispatch(transport({ knownDomains: ["large.example"] }));
    const email = await storedEmail(database.db, id);
    expect(email).toMatchObject({ status: "PENDING", waits: true });
    expect(email.events.at(-1)?.data["response"]).toContain("so they are not believed");
    mx("large.example", "mx.large.example");
    await database.travel("10 minutes");
    await dispatch(transport({ knownDomains: ["large.example"] }));
    expect(await storedEmail(database.db, id)).toMatchObject({ status: "BOUNCED" });
  });

  it("waits while DNS does not answer, while no host can be reached, and while it is greylisted", async () => {
    const { ctx, domain } = await sender();
    dns().misbehave("mute.example", "SERVFAIL");
    dns().addresses("mx.dead.example", "127.0.0.7");
    mx("dead.example", "mx.dead.example");
    let tries = 0;
    const grey = await host("mx.grey.example", 8, {
      onRcptTo: (_, __, callback) =>
        ++tries === 1 ? callback(smtpError(450, "4.7.1 Greylisted, come back")) : callback(),
    });
    mx("grey.example", "mx.grey.example");
    const to = ["a@mute.example", "b@dead.example", "c@grey.example"];
    const ids = await send(ctx, { from: `shop@${domain}`, to });
    await dispatch();
    const [mute, dead, greylisted] = await stored(ids);
    expect(mute).toMatchObject({ status: "PENDING", waits: true });
    expect(mute?.events.at(-1)?.data["response"]).toContain("could not be looked up (ESERVFAIL)");
    expect(dead).toMatchObject({ status: "PENDING", waits: true });
    expect(dead?.events.at(-1)?.data["response"]).toContain(
      "mx.dead.example: connect ECONNREFUSED",
    );
    expect(greylisted).toMatchObject({ status: "PENDING", waits: true, attempts: 1 });
    dns().misbehave("mute.example", null);
    await database.travel("2 minutes");
    await dispatch();
    expect(grey.mails).toHaveLength(1);
    expect(await storedEmail(database.db, ids[2] ?? "")).toMatchObject({
      status: "DELIVERED",
      attempts: 2,
    });
    for (let hours = 0; hours < 175; hours += 5) {
      await database.travel("5 hours");
      await dispatch();
    }
    expect(await storedEmail(database.db, ids[1] ?? "")).toMatchObject({
      status: "BOUNCED",
      waits: false,
    });
  });

  it("goes in clear text where TLS is broken, and under TLS where a certificate is not valid", async () => {
    const { ctx, domain } = await sender();
    const selfSigned = await host("mx.own.example", 9, { disabledCommands: [] });
    // No cipher that anybody else has.
    const broken = await host("mx.broken.example", 10, {
      disabledCommands: [],
      ciphers: "PSK-AES128-CBC-SHA",
      maxVersion: "TLSv1.2",
    });
    mx("own.example", "mx.own.example");
    mx("broken.example", "mx.broken.example");
    const to = ["a@own.example", "b@broken.example"];
    const ids = await send(ctx, { from: `shop@${domain}`, to });
    await dispatch();
    expect(selfSigned.mails[0]?.session.secure).toBe(true);
    expect(broken.mails[0]?.session.secure).toBe(false);
    expect((await stored(ids)).map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED"]);
    const [strict = ""] = await send(ctx, { from: `shop@${domain}`, to: "c@own.example" });
    await dispatch(transport({ tls: "required" }));
    expect(selfSigned.mails).toHaveLength(1);
    expect(await storedEmail(database.db, strict)).toMatchObject({
      status: "PENDING",
      waits: true,
    });
  });

  it("of a host that throttles waits, and nobody else's", async () => {
    const { ctx, domain } = await sender();
    const slow = await host("mx.slow.example", 11, {
      onRcptTo: (_, __, callback) => callback(smtpError(451, "4.7.1 Too much mail from you")),
    });
    const quick = await host("mx.quick.example", 12);
    mx("slow.example", "mx.slow.example");
    mx("quick.example", "mx.quick.example");
    const slowIds = await send(ctx, { from: `shop@${domain}`, to: people(40, "slow.example") });
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(40, "quick.example") });
    const stop = new AbortController();
    const running = new Dispatcher({ db: database.db, transport: transport() }).run(stop.signal);
    stops.unshift(async () => {
      stop.abort();
      await running;
    });
    await until(async () => (await stored(ids)).every(({ status }) => status === "DELIVERED"));
    expect(quick.mails).toHaveLength(40);
    expect(slow.mails).toHaveLength(0);
    await until(async () =>
      (await stored(slowIds)).every(({ waits, claimed }) => waits && !claimed),
    );
    const held = await stored(slowIds);
    expect(held.every(({ status }) => status === "PENDING")).toBe(true);
    // Those beyond the first have not spent a try on it.
    expect(held.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(20);
  });

  it("of a host that says nothing takes no place from others, and close() during a delivery loses none", async () => {
    const { ctx, domain } = await sender();
    const waiting: (() => void)[] = [];
    const taken: string[] = [];
    let willing = false;
    await host("mx.silent.example", 13, {
      onData(stream, { envelope }, callback) {
        const take = () => {
          taken.push(envelope.rcptTo[0]?.address ?? "");
          callback();
        };
        stream.resume();
        stream.on("end", () => (willing ? take() : waiting.push(take)));
      },
    });
    const quick = await host("mx.brisk.example", 14);
    mx("silent.example", "mx.silent.example");
    mx("brisk.example", "mx.brisk.example");
    const held = await send(ctx, { from: `shop@${domain}`, to: people(80, "silent.example") });
    const stop = new AbortController();
    const running = new Dispatcher({ db: database.db, transport: transport() }).run(stop.signal);
    await until(() => waiting.length === 5);
    const started = performance.now();
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(20, "brisk.example") });
    await until(async () => (await stored(ids)).every(({ status }) => status === "DELIVERED"));
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(quick.mails).toHaveLength(20);
    expect(waiting).toHaveLength(5);
    stop.abort();
    willing = true;
    for (const take of waiting) take();
    await running;
    const after = await stored(held);
    const delivered = after.filter(({ status }) => status === "DELIVERED");
    expect(delivered).toHaveLength(taken.length);
    expect(new Set(taken).size).toBe(taken.length);
    const back = after.filter(
      ({ waits, claimed, attempts }) => waits && !claimed && attempts === 0,
    );
    expect(back).toHaveLength(80 - taken.length);
  });
});

describe("while nobody can be reached", () => {
  it("mail waits without spending tries, and leaves when one of them is back", async () => {
    const { ctx, domain } = await sender();
    const domains = Array.from({ length: 30 }, (_, index) => `gone${index}.example`);
    for (const [index, name] of domains.entries()) dns().addresses(name, `127.0.1.${index + 1}`);
    const over = transport();
    const stop = new AbortController();
    const ids = await send(ctx, { from: `shop@${domain}`, to: domains.map((name) => `a@${name}`) });
    const running = new Dispatcher({ db: database.db, transport: over }).run(stop.signal);
    stops.unshift(async () => {
      stop.abort();
      await running;
    });
    await until(() => over.trouble !== null);
    expect(over.trouble?.words).toContain("No receiver can be reached at port");
    await until(async () => (await stored(ids)).every(({ waits, claimed }) => waits && !claimed));
    const untried = (await stored(ids)).filter(({ attempts }) => attempts === 0);
    expect(untried.length).toBeGreaterThanOrEqual(20);
    const servers = await Promise.all(
      domains.map((name, index) => host(name, 1, {}, `127.0.1.${index + 1}`)),
    );
    await until(async () =>
      (await Promise.all(untried.map(({ id }) => storedEmail(database.db, id)))).every(
        ({ status, attempts }) => status === "DELIVERED" && attempts === 1,
      ),
    );
    expect(over.trouble).toBeNull();
    expect(servers.flatMap(({ mails }) => mails)).toHaveLength(untried.length);
  });
});

describe("however many hosts", () => {
  it("no more than a bounded number of them is kept, each with sessions that end", async () => {
    const how = { lane: "transactional", mayStart: () => Promise.resolve(true) } as const;
    let open = 0;
    let most = 0;
    const counted = {
      onConnect: (_: unknown, callback: () => void) => {
        most = Math.max(most, ++open);
        callback();
      },
      onClose: () => void open--,
    };
    await host("mx.all.example", 50, counted);
    const over = transport({ connections: 25 });
    // Hosts that differ by name only, so that one server is enough.
    for (let n = 0; n < 60; n++) dns().addresses(`h${n}.example`, "127.0.0.50");
    for (let n = 0; n < 60; n++) {
      const envelope = { from: "b@sender.example", to: `a@h${n}.example` };
      const outcome = await over.deliver(envelope, Buffer.from("Subject: x\r\n\r\nx\r\n"), how);
      expect(outcome).toMatchObject({ kind: "accepted", receiver: `h${n}.example` });
    }
    expect(over.keptHosts).toBe(20);
    await until(() => open <= 20);
    expect(most).toBeLessThanOrEqual(22);
    over.close();
    await until(() => open === 0);
  });
});
