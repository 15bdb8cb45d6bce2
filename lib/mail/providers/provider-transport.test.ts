import { afterEach, describe, expect, it, vi } from "vitest";
import { freePort } from "@/db/embedded/free-port";
import { startProviderServer, type ProviderServer } from "@/lib/testing/provider-server";
import { replaceEndpoint } from "@/lib/ground/net/provider-endpoints";
import { postmark } from "./postmark";
import { ProviderTransport } from "./provider-transport";
import { resend } from "./resend";

const raw = Buffer.from(
  "From: Shop <shop@example.com>\r\nTo: Ada <ada@example.org>\r\nSubject: Hello\r\n\r\nHello\r\n",
);
const envelope = { from: "bounces@example.com", to: "ada@example.org" };
const streams = { messageStream: "outbound", campaignStream: "broadcast" };
const how = { lane: "campaign", mayStart: () => Promise.resolve(true) } as const;

let server: ProviderServer | null = null;
const transports: ProviderTransport[] = [];
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close();
  await server?.stop();
  server = null;
});

async function through(answer: ProviderServer["answer"], requests = 5) {
  server = await startProviderServer("postmark", answer);
  const transport = new ProviderTransport(postmark("key", streams), requests);
  transports.push(transport);
  return { transport, server };
}

describe("mail to a provider", () => {
  it("that nobody answered may have been taken, unless the provider knows repetitions", async () => {
    const { transport } = await through(() => undefined);
    expect(await transport.deliver(envelope, raw, how)).toMatchObject({
      ...{ kind: "lost", written: true },
    });
    await server?.stop();
    server = await startProviderServer("resend", () => undefined);
    const repeatable = new ProviderTransport(resend("key"), 5);
    transports.push(repeatable);
    expect(await repeatable.deliver(envelope, raw, how)).toMatchObject({
      ...{ kind: "lost", written: false },
    });
  });

  it("that never left is nobody's, and the connection is known to be down", async () => {
    replaceEndpoint("postmark", `http://127.0.0.1:${await freePort()}`);
    const transport = new ProviderTransport(postmark("key", streams), 5);
    transports.push(transport);
    expect(await transport.deliver(envelope, raw, how)).toMatchObject({ kind: "unavailable" });
    expect(await transport.probe()).toMatchObject({ ok: false, loginRefused: false });
    replaceEndpoint("postmark", null);
  });

  it("is judged by the status where the words are endless", async () => {
    const endless = { Message: "x".repeat(200_000) };
    let status = 200;
    const { transport } = await through(() => ({ status, json: endless }));
    expect(await transport.deliver(envelope, raw, how)).toMatchObject({ kind: "accepted" });
    status = 502;
    expect(await transport.deliver(envelope, raw, how)).toMatchObject({
      ...{ kind: "refused", reply: { code: 451, enhancedCode: "4.7.0" } },
    });
  });

  it("follows no redirect", async () => {
    const elsewhere = { status: 307, headers: { location: "http://127.0.0.1:9/" } };
    const { transport } = await through(() => elsewhere);
    expect(await transport.deliver(envelope, raw, how)).toMatchObject({
      ...{ kind: "refused", reply: { code: 450 } },
    });
  });

  it("goes by the campaigns' stream where it is a campaign's, and by the other one else", async () => {
    const { transport, server: provider } = await through(() => ({ status: 200, json: {} }));
    await transport.deliver(envelope, raw, how);
    await transport.deliver(envelope, raw, { ...how, lane: "transactional" });
    const sent = provider.calls.map(({ body }) => JSON.parse(body.toString("utf8")) as object);
    expect(sent).toMatchObject([{ MessageStream: "broadcast" }, { MessageStream: "outbound" }]);
  });

  it("rests as long as the provider asks, and waits for no turn once it is closed", async () => {
    let status = 429;
    const answer = () => ({ status, headers: { "retry-after": "0.2" }, json: {} });
    const { transport, server: provider } = await through(answer, 1);
    await transport.deliver(envelope, raw, how);
    status = 200;
    const before = performance.now();
    expect(await transport.deliver(envelope, raw, how)).toMatchObject({ kind: "accepted" });
    expect(performance.now() - before).toBeGreaterThan(150);
    status = 429;
    await transport.deliver(envelope, raw, how);
    const mayStart = vi.fn(() => Promise.resolve(true));
    const waiting = transport.deliver(envelope, raw, { ...how, mayStart });
    transport.close();
    expect(await waiting).toMatchObject({ kind: "unavailable" });
    expect(mayStart).not.toHaveBeenCalled();
    expect(provider.calls).toHaveLength(3);
  });
});
