import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createResolver } from "@/lib/ground/dns/resolver";
import { ReceivingHosts } from "@/lib/mail/receiving-hosts/receiving-hosts";
import { StsPolicies } from "@/lib/mail/receiving-hosts/sts-policies";
import { makeAuthority } from "@/lib/testing/certificates";
import { dispatchDue, send, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { useReceivers } from "@/lib/testing/receivers";

const database = useTestDatabase();
const { sender } = useMailServers(database);
const { dns, host, mx, transport } = useReceivers();
const usual = getCACertificates();
let authority: Awaited<ReturnType<typeof makeAuthority>>;
let web: Server;
let fetched = 0;
let policy = "";

beforeAll(async () => {
  authority = await makeAuthority();
  setDefaultCACertificates([...usual, authority.cert]);
  web = createServer(await authority.issue("mta-sts.sts.example"), (_, response) => {
    fetched++;
    response.end(policy);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await new Promise((resolve) => web.close(resolve));
});

const policyOf = (mode: string, ...hosts: string[]) =>
  ["version: STSv1", `mode: ${mode}`, ...hosts.map((name) => `mx: ${name}`), "max_age: 86400"].join(
    "\r\n",
  );

/** A transport that knows nothing yet, for a domain that publishes the policy. */
function withPolicy(text: string) {
  policy = text;
  fetched = 0;
  dns().txt("_mta-sts.sts.example", `v=STSv1; id=${Math.random().toString(36).slice(2)};`);
  dns().addresses("mta-sts.sts.example", "127.0.0.1");
  return fresh(new StsPolicies(createResolver(), (web.address() as AddressInfo).port));
}

const fresh = (policies: StsPolicies) => ({
  policies,
  over: transport({ receivingHosts: new ReceivingHosts(createResolver(), policies) }),
});

describe("a receiver's MTA-STS policy", () => {
  it("in force lets mail go to a server that it names, with a certificate of its own, and to no other", async () => {
    const { ctx, domain } = await sender();
    const good = await host("mx1.sts.example", 20, {
      disabledCommands: [],
      ...(await authority.issue("mx1.sts.example")),
    });
    const other = await host("mx.elsewhere.example", 21, {
      disabledCommands: [],
      ...(await authority.issue("mx.elsewhere.example")),
    });
    mx("sts.example", "mx.elsewhere.example", "mx1.sts.example");
    const { over } = withPolicy(policyOf("enforce", "*.sts.example"));
    const ids = await send(ctx, { from: `shop@${domain}`, to: ["a@sts.example", "b@sts.example"] });
    await dispatchDue({ db: database.db, transport: over });
    expect(other.mails).toEqual([]);
    expect(good.mails.map(({ session }) => session.secure)).toEqual([true, true]);
    for (const id of ids) expect((await storedEmail(database.db, id)).status).toBe("DELIVERED");
    expect(fetched).toBe(1);
  });

  it.each([
    ["a certificate of somebody else's", { disabledCommands: [] }],
    ["no TLS at all", {}],
  ])("in force keeps mail from a server with %s: it waits", async (_, options) => {
    const { ctx, domain } = await sender();
    const server = await host("mx1.sts.example", 20, options);
    mx("sts.example", "mx1.sts.example");
    const { over } = withPolicy(policyOf("enforce", "mx1.sts.example"));
    const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: "a@sts.example" });
    await dispatchDue({ db: database.db, transport: over });
    expect(server.mails).toEqual([]);
    const email = await storedEmail(database.db, id);
    expect(email).toMatchObject({ status: "PENDING", waits: true, attempts: 1 });
    expect(email.events.at(-1)).toMatchObject({
      name: "deferred",
      data: { code: 454, enhancedCode: "4.7.5" },
    });
  });

  it("in force that names none of its servers keeps mail waiting, and says why", async () => {
    const { ctx, domain } = await sender();
    const server = await host("mx1.sts.example", 20);
    mx("sts.example", "mx1.sts.example");
    const { over } = withPolicy(policyOf("enforce", "mx.other.example"));
    const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: "a@sts.example" });
    await dispatchDue({ db: database.db, transport: over });
    expect(server.mails).toEqual([]);
    expect((await storedEmail(database.db, id)).events.at(-1)?.data).toMatchObject({
      code: 454,
      enhancedCode: "4.7.5",
      response: "The MTA-STS policy of sts.example names none of its mail servers.",
    });
  });

  it.each([
    ["in testing", policyOf("testing", "mx.other.example")],
    ["of none", policyOf("none")],
    ["that nobody can read", "mode: enforce"],
    ["without an end", "x".repeat(100_000)],
  ])("%s keeps no mail back", async (_, text) => {
    const { ctx, domain } = await sender();
    const server = await host("mx1.sts.example", 20);
    mx("sts.example", "mx1.sts.example");
    const { over } = withPolicy(text);
    await send(ctx, { from: `shop@${domain}`, to: "a@sts.example" });
    await dispatchDue({ db: database.db, transport: over });
    expect(server.mails).toHaveLength(1);
  });

  it("that is known holds although its record is gone or its server is away", async () => {
    const { policies } = withPolicy(policyOf("enforce", "mx1.sts.example"));
    expect(await policies.find("sts.example")).toMatchObject({ mode: "enforce" });
    dns().clear("_mta-sts.sts.example");
    expect(await policies.find("sts.example")).toMatchObject({ mode: "enforce" });
    dns().txt("_mta-sts.sts.example", "v=STSv1; id=another;");
    dns().addresses("mta-sts.sts.example", "127.0.0.99");
    expect(await policies.find("sts.example")).toMatchObject({ mode: "enforce" });
    expect(fetched).toBe(1);
  });
});
