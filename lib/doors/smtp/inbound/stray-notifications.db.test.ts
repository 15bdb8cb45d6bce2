import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getEmail } from "@/lib/domain/emails/read";
import { listInbound } from "@/lib/domain/inbound/read";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { returnPathOf } from "@/lib/mail/return-path";
import { deliverTo, makeMailbox } from "@/lib/testing/customer-mail";
import { send } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
let inbound: Listening;
let dns: DnsServer;
let people = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  inbound = await startInbound({
    ...{ db: database.db, host: "127.0.0.1", port: 0, hostname: "mail.sender.example" },
    certificate: await relayCertificate(database.db),
  });
});
afterAll(async () => {
  await inbound.close();
  await dns.stop();
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
});

async function sent(ctx: Context, address = `ada${++people}@sandbox.test`) {
  const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: address });
  await database.db.execute(
    sql`update emails set status = 'SENT', sent_at = app_now() where id = ${id}`,
  );
  return { id, address, returnPath: returnPathOf(id, "shop.example") };
}
type Sent = Awaited<ReturnType<typeof sent>>;

/** A notification about an email, as Postfix writes it: with a Message-ID of its own, which comes first in it. */
function notification({ id, address, returnPath }: Sent, name = "postfix-user-unknown"): string {
  const file = join(import.meta.dirname, "../../../mail/reports/samples", `${name}.eml`);
  return readFileSync(file, "latin1")
    .replace(/^Message-ID: <[^@>]*/im, `Message-Id: <${name}.${id}`)
    .replaceAll("ada@example.net", address)
    .replaceAll(/b-01jd[0-9a-f-]+@bounces\.shop\.example/g, returnPath)
    .replaceAll("em_01jd0000000000000000000000", encodeId("email", id))
    .replaceAll(/\r?\n/g, "\r\n");
}
const unsigned = (email: Sent, name?: string) =>
  notification(
    { ...email, returnPath: email.returnPath.replace(/-[0-9a-f]{20}@/, `-${"0".repeat(20)}@`) },
    name,
  );

async function outcomeOf(ctx: Context, { id }: Sent) {
  const { status, events } = await getEmail(ctx, encodeId("email", id));
  const suppressed = await database.db
    .select({ email: suppressions.email })
    .from(suppressions)
    .where(eq(suppressions.projectId, ctx.projectId));
  const names = events.map(({ name }) => name);
  return { status, names, suppressed: suppressed.map(({ email }) => email) };
}

const bring = (message: string, to: string, from = "") =>
  deliverTo(inbound.port, message, to, from);

test("a notification that comes to the sender's address is about the email whose header it returns", async () => {
  const { ctx, address } = await makeMailbox(database.db);
  const email = await sent(ctx);
  for (let nth = 0; nth < 2; nth++) {
    expect(await bring(notification(email), address)).toMatchObject({ code: 250 });
  }
  const { status, names, suppressed } = await outcomeOf(ctx, email);
  expect(status).toBe("BOUNCED");
  expect(names.filter((name) => name === "bounced")).toHaveLength(1);
  expect(suppressed).toEqual([email.address]);
  // It is a mail to that address all the same.
  expect((await listInbound(ctx, { limit: 20 })).data).toHaveLength(1);
});

test("one that knows the Message-ID alone bounces the email, and suppresses nobody", async () => {
  const { ctx, address } = await makeMailbox(database.db);
  const [email, delayed] = [await sent(ctx), await sent(ctx)];
  await bring(unsigned(email), address);
  await bring(unsigned(delayed, "postfix-delayed"), address);
  expect(await outcomeOf(ctx, email)).toMatchObject({ status: "BOUNCED", suppressed: [] });
  const late = await outcomeOf(ctx, delayed);
  expect(late.status).toBe("SENT");
  expect(late.names).toContain("deferred");
  await bring(unsigned(delayed, "postfix-delivered"), address);
  expect(await outcomeOf(ctx, delayed)).toMatchObject({ status: "DELIVERED" });
});

test("those that know Message-IDs alone suppress nobody together either, nor with one more that is signed", async () => {
  const { ctx, address } = await makeMailbox(database.db);
  const emails = [await sent(ctx)];
  const [{ address: to }] = emails as [Sent];
  for (let nth = 1; nth < 6; nth++) emails.push(await sent(ctx, to));
  for (const email of emails) await bring(unsigned(email), address);
  for (const email of emails) {
    expect(await outcomeOf(ctx, email)).toMatchObject({ status: "BOUNCED", suppressed: [] });
  }
  const full = await sent(ctx, to);
  await bring(notification(full, "postfix-gave-up"), full.returnPath);
  expect(await outcomeOf(ctx, full)).toMatchObject({ status: "BOUNCED", suppressed: [] });
});

test("neither another project's mailbox, a sender with a name, nor a letter that quotes a header reports anything", async () => {
  const [ours, others] = [await makeMailbox(database.db), await makeMailbox(database.db)];
  const email = await sent(ours.ctx);
  await bring(notification(email), others.address);
  await bring(notification(email), ours.address, "ada@writer.example");
  const quoted = notification(email).replace("message/delivery-status", "text/plain");
  await bring(quoted, ours.address);
  const { status, names, suppressed } = await outcomeOf(ours.ctx, email);
  expect(status).toBe("SENT");
  expect(names).not.toContain("bounced");
  expect(suppressed).toEqual([]);
});
