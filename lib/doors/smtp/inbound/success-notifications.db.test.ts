import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { getEmail } from "@/lib/domain/emails/read";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import { encodeId } from "@/lib/ground/ids/ids";
import { advance, seedContacts } from "@/lib/testing/campaigns";
import { deliverTo } from "@/lib/testing/customer-mail";
import { send } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);
const hostname = "mail.sender.example";
let inbound: Listening;

beforeAll(async () => {
  const certificate = await relayCertificate(database.db);
  inbound = await startInbound({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname,
    certificate,
  });
});
afterAll(() => inbound.close());

const sample = readFileSync(
  join(import.meta.dirname, "../../../mail/reports/samples/postfix-delivered.eml"),
  "latin1",
);

/** A server that offers DSN; `notify` tells each sender that asked for it that its mail has been delivered. */
async function reportingServer() {
  const asking = new Set<string>();
  const server = await mailServer({
    hideDSN: false,
    onRcptTo({ address, dsn }, _session, callback) {
      if (dsn?.notify?.includes("SUCCESS")) asking.add(address);
      callback();
    },
  });
  const asked = () => server.mails.filter(({ to }) => asking.has(to[0] ?? ""));
  const notify = async () => {
    for (const { from, to } of asked()) {
      const notification = sample
        .replaceAll("ada@example.net", to[0] ?? "")
        .replaceAll(/b-01jd[0-9a-f-]+@bounces\.shop\.example/g, from)
        .replaceAll(/\r?\n/g, "\r\n");
      expect(await deliverTo(inbound.port, notification, from, "")).toMatchObject({ code: 250 });
    }
  };
  return { server, asked, notify };
}

/** A sender whose domain's return path leads here. */
async function readingSender() {
  const made = await sender();
  await database.db.execute(sql`
    update domains set checks = '{"RETURN_PATH": {"ok": true}}' where name = ${made.domain}`);
  return made;
}

test("a server's success notification makes the email DELIVERED, with its words on the timeline", async () => {
  const { ctx, domain } = await readingSender();
  const { server, notify } = await reportingServer();
  const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: "ada@example.net" });
  await dispatch(server.url);
  const wireId = encodeId("email", id);
  expect(await getEmail(ctx, wireId)).toMatchObject({ status: "SENT", deliveredAt: null });
  await notify();
  await notify();
  const email = await getEmail(ctx, wireId);
  expect(email).toMatchObject({ status: "DELIVERED", deliveredAt: expect.any(String) as string });
  expect(email.events.filter(({ name }) => name === "delivered")).toEqual([
    expect.objectContaining({
      data: {
        enhancedCode: "2.0.0",
        response: "delivered to mailbox",
        reportedBy: "mail.example.net",
        via: "mail",
      },
    }),
  ]);
});

test("nothing is asked for where notifications would lead to somebody else", async () => {
  const { ctx, domain } = await sender();
  const { server, asked } = await reportingServer();
  await send(ctx, { from: `shop@${domain}`, to: "ada@example.net" });
  await dispatch(server.url);
  expect(server.mails).toHaveLength(1);
  expect(asked()).toEqual([]);
});

test("a campaign's deliveries are confirmed once its servers have notified, and not before", async () => {
  const { ctx, domain } = await readingSender();
  const { server, notify } = await reportingServer();
  await seedContacts(database.db, ctx.projectId, 10);
  const { id } = await createCampaign(ctx, {
    ...{ name: "News", subject: "News", from: `news@${domain}`, body: "<p>Hello</p>" },
  });
  await sendCampaign(ctx, id, {});
  await advance(database.db);
  await dispatch(server.url);
  expect((await getCampaign(ctx, id)).stats).toMatchObject({
    ...{ sent: 10, delivered: 0, deliveryConfirmed: false, deliveryRate: 1 },
  });
  await notify();
  expect((await getCampaign(ctx, id)).stats).toMatchObject({
    ...{ sent: 10, delivered: 10, deliveryConfirmed: true, deliveryRate: 1 },
  });
});
