import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import {
  createConnection,
  getConnection,
  updateConnection,
} from "@/lib/domain/connections/connections";
import { expectedRecords } from "@/lib/domain/sending-domains/records";
import { replaceDelays } from "@/lib/domain/direct-mail/more-tries";
import { sendDirectMail } from "@/lib/domain/direct-mail/send";
import { updateDomain } from "@/lib/domain/sending-domains/domains";
import { testConnection } from "@/lib/engine/transports/test-connection";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { send, smtpError, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { useReceivers } from "@/lib/testing/receivers";
import { until } from "@/lib/testing/until";
import { replaceReceiverPort } from "@/lib/mail/receiving-hosts/port";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);
const { dns, host, mx, port } = useReceivers();
const names = [
  "MX_CONNECTIONS",
  "MAIL_HOSTNAME",
  "SENDING_IPS",
  "MAIL_TRANSPORT",
  "SPF_INCLUDE",
  "DNSSEC_RESOLVER",
] as const;
const before = names.map((name) => [name, process.env[name]] as const);
const set = (values: Partial<Record<(typeof names)[number], string>>) => {
  Object.assign(process.env, values);
  reloadEnv();
};

beforeAll(() => {
  replaceReceiverPort(port());
  set({ MAIL_HOSTNAME: "mail.sender.example", MX_CONNECTIONS: "1" });
});
afterAll(() => {
  replaceReceiverPort(25);
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
});

const input = { name: "Straight", kind: "mx" } as const;

describe("a sending connection straight to receivers", () => {
  it("takes the mail of the domain that names it, which is DELIVERED; the others' goes through the installation's server", async () => {
    const { ctx, domain, key } = await sender();
    const other = await sender();
    const relay = await mailServer();
    const receiver = await host("mx.own.example", 40);
    mx("own.example", "mx.own.example");
    const { id } = await createConnection(ctx, { ...input });
    await updateDomain(ctx, encodeId("domain", key.id), { connectionId: id });
    const [straight = ""] = await send(ctx, { from: `a@${domain}`, to: "x@own.example" });
    const [relayed = ""] = await send(other.ctx, {
      from: `a@${other.domain}`,
      to: "y@own.example",
    });
    await dispatch(relay.url);
    expect(receiver.mails.map(({ to }) => to)).toEqual([["x@own.example"]]);
    expect(relay.mails.map(({ to }) => to)).toEqual([["y@own.example"]]);
    expect((await storedEmail(database.db, straight)).status).toBe("DELIVERED");
    expect((await storedEmail(database.db, relayed)).status).toBe("SENT");
  });

  it("is neither held nor slowed when a receiver throttles or is away", async () => {
    const { ctx, domain } = await sender();
    const relay = await mailServer();
    await host("mx.slow.example", 41, {
      onRcptTo: (_, __, callback) => callback(smtpError(451, "4.7.1 Too much mail from you")),
    });
    const quick = await host("mx.quick.example", 42);
    mx("slow.example", "mx.slow.example");
    mx("quick.example", "mx.quick.example");
    dns().addresses("away.example", "127.0.0.43");
    const { id } = await createConnection(ctx, { ...input, standard: true });
    const to = [
      ...Array.from({ length: 12 }, (_, index) => `p${index}@slow.example`),
      ...Array.from({ length: 3 }, (_, index) => `p${index}@away.example`),
      ...Array.from({ length: 12 }, (_, index) => `p${index}@quick.example`),
    ];
    const ids = await send(ctx, { from: `a@${domain}`, to });
    await dispatch(relay.url);
    expect(quick.mails).toHaveLength(12);
    const emails = await Promise.all(ids.map((one) => storedEmail(database.db, one)));
    expect(emails.slice(0, 15).every(({ status, waits }) => status === "PENDING" && waits)).toBe(
      true,
    );
    expect(emails.slice(15).every(({ status }) => status === "DELIVERED")).toBe(true);
    expect((await getConnection(ctx, id)).state.name).toBe("working");
    expect(relay.mails).toEqual([]);
  });

  it("gives a receiver no more in a minute than it is told to; the rest waits without spending a try", async () => {
    const { ctx, domain } = await sender();
    const relay = await mailServer();
    const paced = await host("mx.paced.example", 49);
    mx("paced.example", "mx.paced.example");
    await createConnection(ctx, { ...input, standard: true, messagesPerMinute: 1 });
    const to = ["a@paced.example", "b@paced.example", "c@paced.example"];
    const ids = await send(ctx, { from: `a@${domain}`, to });
    await dispatch(relay.url);
    expect(paced.mails).toHaveLength(1);
    const emails = await Promise.all(ids.map((one) => storedEmail(database.db, one)));
    const count = (status: string) => emails.filter((email) => email.status === status).length;
    expect([count("DELIVERED"), count("PENDING")]).toEqual([1, 2]);
    const waiting = emails.filter(({ waits }) => waits);
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0]);
    expect(relay.mails).toEqual([]);
  });

  it("has its own settings, and is refused where the installation has no public name", async () => {
    const { ctx } = await sender();
    const connection = await createConnection(ctx, { ...input });
    const usual = { tls: "opportunistic", sessions: 5, messagesPerMinute: null };
    expect(connection).toMatchObject({ kind: "mx", ...usual });
    const paced = await updateConnection(ctx, connection.id, { messagesPerMinute: 600 });
    expect(paced).toMatchObject({ ...usual, messagesPerMinute: 600 });
    const strict = await updateConnection(ctx, connection.id, { tls: "required" });
    expect(strict).toMatchObject({ tls: "required", messagesPerMinute: 600 });
    const free = await updateConnection(ctx, connection.id, { messagesPerMinute: null });
    expect(free).toMatchObject({ tls: "required", messagesPerMinute: null });
    await expect(updateConnection(ctx, connection.id, { tls: "off" })).rejects.toMatchObject({
      details: [{ path: "tls" }],
    });
    await expect(
      updateConnection(ctx, connection.id, { host: "mx.example.com" }),
    ).rejects.toMatchObject({ details: [{ path: "host" }] });
    set({ MAIL_HOSTNAME: "localhost" });
    await expect(createConnection(ctx, { ...input, name: "Two" })).rejects.toMatchObject({
      details: [{ path: "kind" }],
    });
    set({ MAIL_HOSTNAME: "mail.sender.example" });
  });

  it("can be added only where the operator allows it; one that is there can be changed and goes on", async () => {
    const { ctx, domain } = await sender();
    const receiver = await host("mx.own.example", 40);
    mx("own.example", "mx.own.example");
    const { id } = await createConnection(ctx, { ...input, standard: true });
    set({ MX_CONNECTIONS: "0" });
    await expect(createConnection(ctx, { ...input, name: "Two" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "kind", message: expect.stringContaining("MX_CONNECTIONS=1") }],
    });
    await updateConnection(ctx, id, { name: "Renamed" });
    await send(ctx, { from: `a@${domain}`, to: "x@own.example" });
    await dispatch((await mailServer()).url);
    expect(receiver.mails).toHaveLength(1);
    set({ MX_CONNECTIONS: "1" });
  });

  it("is tested at receivers that are always there: whether port 25 leads out, and what reverse DNS says", async () => {
    const { ctx } = await sender();
    const { id } = await createConnection(ctx, { ...input });
    const closed = await testConnection(ctx, id);
    expect(closed.ok).toBe(false);
    expect(closed.words).toContain("The name servers of this machine know no large provider");
    dns().addresses("outlook.com", "127.0.0.47");
    const shut = await testConnection(ctx, id);
    expect(shut.words).toMatch(
      /^Port \d+ does not lead out of this machine, .* outlook\.com: connect ECONN/,
    );
    expect(shut.words).toContain("SENDING_IPS names no single address");
    const gmail = await host("mx.gmail.example", 44);
    mx("gmail.com", "mx.gmail.example");
    set({ SENDING_IPS: "192.0.2.7" });
    const open = await testConnection(ctx, id);
    expect(open.ok).toBe(true);
    expect(open.words).toMatch(
      /^mx\.gmail\.example: 220 .*\nMany receivers will refuse mail: 192\.0\.2\.7 has no reverse DNS\.$/,
    );
    expect(gmail.mails).toEqual([]);
    set({ SENDING_IPS: "" });
  });

  it("says at its test that DNSSEC_RESOLVER does not validate, or does not answer", async () => {
    const { ctx } = await sender();
    const { id } = await createConnection(ctx, { ...input });
    await host("mx.gmail.example", 44);
    mx("gmail.com", "mx.gmail.example");
    const { words: without } = await testConnection(ctx, id);
    expect(without).not.toContain("DNSSEC_RESOLVER");
    set({ DNSSEC_RESOLVER: dns().address });
    const { ok, words } = await testConnection(ctx, id);
    expect(ok).toBe(true);
    expect(words).toContain(
      `The DNSSEC_RESOLVER ${dns().address} does not validate, so DANE is not honoured.`,
    );
    dns().sign(".");
    expect((await testConnection(ctx, id)).words).toBe(without);
    dns().misbehave(".", "SERVFAIL");
    expect((await testConnection(ctx, id)).words).toContain("gives no answer (ESERVFAIL)");
    dns().misbehave(".", null);
    delete process.env["DNSSEC_RESOLVER"];
    reloadEnv();
  });
});

describe("an installation whose mail goes straight to receivers", () => {
  it("names itself in SPF, beside whom else may send", () => {
    const domain = {
      id: "",
      name: "a.example",
      selector: "s",
      dkimPublicKey: "k",
      builtIn: false,
      inbound: false,
      trackingHost: null,
    };
    const spf = () => expectedRecords(domain).find(({ purpose }) => purpose === "SPF")?.value;
    set({ MAIL_TRANSPORT: "mx", SPF_INCLUDE: "_spf.other.example" });
    expect(spf()).toBe("v=spf1 a:mail.sender.example include:_spf.other.example ~all");
    set({ SENDING_IPS: "192.0.2.7" });
    expect(spf()).toBe("v=spf1 ip4:192.0.2.7 include:_spf.other.example ~all");
    set({ SENDING_IPS: "", SPF_INCLUDE: "" });
  });

  it("mails links that sign in to the receiver's server as well, and passes over one that is away", async () => {
    set({ MAIL_TRANSPORT: "mx" });
    const receiver = await host("mx2.person.example", 45, { disabledCommands: [] });
    dns().addresses("mx1.person.example", "127.0.0.46");
    mx("person.example", "mx1.person.example", "mx2.person.example");
    const mail = {
      fromName: "L",
      to: { name: "Ada", address: "ada@person.example" },
      subject: "In",
      html: "<p>x</p>",
      text: "x",
    };
    await sendDirectMail(database.db, mail, { sender: null, mailbox: () => Promise.resolve(null) });
    expect(receiver.mails.map(({ to }) => to)).toEqual([["ada@person.example"]]);
    expect(receiver.mails[0]?.session.secure).toBe(true);
    set({ MAIL_TRANSPORT: "capture" });
  });

  it("mails links again to a receiver that asks to come back, not to one that refuses, and gives up after four more tries", async () => {
    set({ MAIL_TRANSPORT: "mx" });
    const before = replaceDelays([10, 10, 10, 10]);
    const asked: string[] = [];
    const receiver = await host("mx.grey.example", 48, {
      onRcptTo: ({ address }, _, callback) => {
        asked.push(address);
        const name = address.split("@")[0] ?? "";
        const times = asked.filter((one) => one === address).length;
        if (name === "once" && times > 1) return callback();
        callback(smtpError(name === "gone" ? 550 : 450, "No"));
      },
    });
    mx("grey.example", "mx.grey.example");
    const mail = (name: string, patient: boolean) =>
      sendDirectMail(
        database.db,
        {
          fromName: "L",
          to: { name: "", address: `${name}@grey.example` },
          subject: "In",
          html: "<p>x</p>",
          text: "x",
        },
        { sender: null, mailbox: () => Promise.resolve(null), patient },
      );
    await mail("once", true);
    await until(() => receiver.mails.length === 1);
    expect(receiver.mails[0]?.to).toEqual(["once@grey.example"]);
    await expect(mail("gone", true)).rejects.toThrow("550");
    await expect(mail("never", false)).rejects.toThrow("450");
    await mail("always", true);
    await until(() => asked.filter((one) => one.startsWith("always")).length === 5);
    expect(asked.filter((one) => !one.startsWith("always"))).toEqual([
      "once@grey.example",
      "once@grey.example",
      "gone@grey.example",
      "never@grey.example",
    ]);
    replaceDelays(before);
    set({ MAIL_TRANSPORT: "capture" });
  });
});
