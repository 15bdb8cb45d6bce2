import { and, eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { createTransport } from "@/lib/engine/transports/create";
import { decodeId } from "@/lib/ground/ids/ids";
import { readHandedToken } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { storedEmail, verifiedDomain } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { startProviderServer } from "@/lib/testing/provider-server";
import { installationHook, setSettings, settingsOf } from "@/lib/testing/providers/as-transport";
import type { HandedMail } from "@/lib/testing/providers/played-provider";
import { playedProviders } from "@/lib/testing/providers/played-providers";
import { until } from "@/lib/testing/until";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const { stops } = useMailServers(database);
const app = createTrackingApp();

type Kind = keyof typeof playedProviders;
const kinds = Object.keys(playedProviders) as Kind[];

const labels: Record<Kind, string> = {
  ses: "Amazon SES in eu-central-1",
  resend: "Resend",
  postmark: "Postmark",
  mailgun: "Mailgun",
  sendgrid: "SendGrid",
};

afterEach(() => setSettings({ MAIL_TRANSPORT: "capture" }));

/** An installation whose mail all goes to a provider played here. */
async function installed(kind: Kind) {
  const played = playedProviders[kind];
  const provider = await startProviderServer(played.endpoint, (call) =>
    played.answer(call, provider.calls.indexOf(call)),
  );
  stops.push(() => provider.stop());
  const proof = await played.startProof?.();
  if (proof) stops.push(() => proof.stop());
  setSettings(settingsOf(kind, played));
  const stop = new AbortController();
  const transport = createTransport();
  const running = new Dispatcher({ db: database.db, transport }).run(stop.signal);
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
  const handed = async () => {
    const taken = provider.calls.filter(played.takes);
    return Promise.all(taken.map((call) => played.mail(call, provider.calls.indexOf(call))));
  };
  const report = async (event: unknown, wrong = false) => {
    const call = played.call(event, installationHook, wrong);
    const url = "http://localhost/hooks/installation";
    return (await app.fetch(new Request(url, { method: "POST", ...call }))).status;
  };
  return { played, provider, transport, handed, report };
}

async function project() {
  const { ctx, projectId, apiKey } = await makeProject(database.db);
  const domain = `d${Math.random().toString(36).slice(2)}.example.com`;
  await verifiedDomain(database.db, projectId, domain);
  const ask = bearerClient(apiKey);
  const send = async (to: string, more: object = {}) => {
    const message = { from: `shop@${domain}`, to: [to], subject: "Hi", body: "<p>Hi</p>", ...more };
    const { body } = await ask("POST", "/v1/send", message);
    const id = decodeId("email", body.data.emails[0].email as string) ?? "";
    return { id, stored: () => storedEmail(database.db, id) };
  };
  const isSuppressed = async (email: string) =>
    (await database.db.$count(
      suppressions,
      and(eq(suppressions.projectId, ctx.projectId), eq(suppressions.email, email)),
    )) > 0;
  return { ask, from: `shop@${domain}`, send, isSuppressed };
}

const mailFor = (mails: HandedMail[], to: string) =>
  mails.find((mail) => mail.to === to) as HandedMail;

describe.each(kinds)("an installation that sends through %s", (kind) => {
  it("has every project's mail taken there, and reports of each recorded where it belongs", async () => {
    const { played, handed, report } = await installed(kind);
    const [one, two] = [await project(), await project()];
    const ada = await one.send("ada@example.org", { headers: { "X-Order": "4711" } });
    const bob = await two.send("bob@example.org", {
      headers: { "X-SES-Source-ARN": "x", "X-Mailgun-Variables": "{}", "X-PM-Tag": "x" },
    });
    await until(async () =>
      (await Promise.all([ada.stored(), bob.stored()])).every(({ status }) => status === "SENT"),
    );
    const mails = await handed();
    const [adas, bobs] = [mailFor(mails, "ada@example.org"), mailFor(mails, "bob@example.org")];
    expect(readHandedToken(adas.id)).toBe(ada.id);
    expect(adas.headers).toMatchObject({ "X-Order": "4711" });
    const steering = /^x-(ses|mailgun)|^x-pm-tag/i;
    expect(Object.keys(bobs.headers).filter((name) => steering.test(name))).toEqual([]);

    expect(await report(played.event("bounced", bobs), true)).toBe(401);
    expect((await bob.stored()).status).toBe("SENT");
    expect(await report(played.event("delivered", adas))).toBe(200);
    expect(await report(played.event("bounced", bobs))).toBe(200);
    expect(await report(played.event("bounced", bobs))).toBe(200);
    expect((await ada.stored()).status).toBe("DELIVERED");
    const { status, events } = await bob.stored();
    expect(status).toBe("BOUNCED");
    expect(events.map(({ name }) => name)).toEqual(["sent", "bounced"]);
    expect(await two.isSuppressed("bob@example.org")).toBe(true);
    expect(await one.isSuppressed("bob@example.org")).toBe(false);
  });

  it("takes no report on mail that went through a project's own connection", async () => {
    const { played, handed, report } = await installed(kind);
    const own = await project();
    const input = { name: "Own", standard: true, ...played.input };
    expect((await own.ask("POST", "/v1/connections", input)).status).toBe(201);
    const eve = await own.send("eve@example.org");
    await until(async () => (await eve.stored()).status === "SENT");
    const mail = mailFor(await handed(), "eve@example.org");
    expect(await report(played.event("complained", mail))).toBe(200);
    expect((await eve.stored()).status).toBe("SENT");
    const guessed = { ...mail, id: `${mail.id}-made-up` };
    expect(await report(played.event("complained", guessed))).toBe(200);
    expect((await eve.stored()).status).toBe("SENT");
  });

  it("lets mail wait while the key is refused, says so, and goes on by itself", async () => {
    const { played, provider, transport } = await installed(kind);
    const { answer } = provider;
    provider.answer = () => played.refusesKey;
    const mail = await (await project()).send("ada@example.org");
    await until(() => transport?.trouble !== null);
    expect(transport?.trouble?.words.split(": ")[0]).toBe(labels[kind]);
    const { status, events } = await mail.stored();
    expect([status, events]).toEqual(["PENDING", []]);
    // What the key is tried with, and what takes mail, are answered well again.
    provider.answer = (call) =>
      played.takes(call) && call.body.length > 0 ? answer(call) : played.acceptsKey;
    await until(async () => (await mail.stored()).status === "SENT");
    expect(transport?.trouble).toBeNull();
  });
});

describe("the installation's webhook", () => {
  const post = (more: object = { body: "{}" }) =>
    app.fetch(new Request("http://localhost/hooks/installation", { method: "POST", ...more }));

  it("is there only where reports can be proved", async () => {
    for (const settings of [
      { MAIL_TRANSPORT: "capture" },
      { MAIL_TRANSPORT: "resend:", MAIL_TRANSPORT_KEY: "re_right" },
      { MAIL_TRANSPORT: "ses://eu-central-1?configuration-set=mail" },
    ]) {
      setSettings(settings);
      expect((await post()).status).toBe(404);
    }
    setSettings(settingsOf("resend", playedProviders.resend));
    expect((await post()).status).toBe(401);
    expect((await post({ method: "GET" })).status).toBe(405);
    setSettings(settingsOf("ses", playedProviders.ses));
    expect((await post({ body: "{" })).status).toBe(401);
  });

  it("takes a signature of Mailgun's for one body alone", async () => {
    const { played, handed } = await installed("mailgun");
    const mail = await (await project()).send("ada@example.org");
    await until(async () => (await mail.stored()).status === "SENT");
    const named = mailFor(await handed(), "ada@example.org");
    const call = played.call(played.event("delivered", named), installationHook);
    expect((await post(call)).status).toBe(200);
    expect((await post(call)).status).toBe(200);
    const { signature } = JSON.parse(call.body) as { signature: object };
    const body = JSON.stringify({ signature, "event-data": played.event("complained", named) });
    expect((await post({ body })).status).toBe(401);
    expect((await mail.stored()).status).toBe("DELIVERED");
  });
});

describe("strangers who call the installation's webhook slowly", () => {
  /** A call from this address that announces so much and does not go on. */
  const trickling = (address: string, length: number) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(Math.min(length, 250_000))),
    });
    const headers = { "x-forwarded-for": address, "content-length": `${length}` };
    const init = { method: "POST", headers, body, duplex: "half" };
    return app.fetch(new Request("http://localhost/hooks/installation", init));
  };

  it("keep neither projects' requests nor the provider's reports waiting", async () => {
    const { played, handed } = await installed("mailgun");
    const { ask, from, send } = await project();
    for (let nth = 0; nth < 130; nth++) {
      void trickling(`192.0.2.${nth % 3}`, nth < 12 ? 4 * 1024 * 1024 : 256 * 1024);
    }
    const mail = await send("ada@example.org");
    await until(async () => (await mail.stored()).status === "SENT");
    const named = mailFor(await handed(), "ada@example.org");
    const call = played.call(played.event("delivered", named), installationHook);
    const length = (text: string) => ({ "content-length": `${Buffer.byteLength(text)}` });
    const headers = { ...call.headers, ...length(call.body), "x-forwarded-for": "198.51.100.7" };
    const answer = await app.fetch(
      new Request("http://localhost/hooks/installation", { method: "POST", ...call, headers }),
    );
    expect(answer.status).toBe(200);
    const large = { to: "bob@example.org", from, subject: "x", body: "y" };
    const attachments = [{ filename: "a.txt", content: "A".repeat(20_000_000) }];
    const body = JSON.stringify({ ...large, attachments });
    expect((await ask("POST", "/v1/send", body, length(body))).status).toBe(200);
  });
});
