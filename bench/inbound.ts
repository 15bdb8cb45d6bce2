import { once } from "node:events";
import { sql } from "drizzle-orm";
import { domains } from "@/db/schema";
import { freePort } from "@/db/embedded/free-port";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { returnPathOf } from "@/lib/mail/return-path";
import { startDnsServer } from "@/lib/testing/dns-server";
import { bring, fullMailbox, notification, sessions } from "./bring";
import type { BenchRow } from "./row";
import { startStand, untilReady, type Stand } from "./stand";

const messages = 6_000;
const notifications = 5_000;
const domain = "shop.example";

const filler = "Somebody wrote this line, and the next one.\r\n".repeat(30);
const letter = (nth: number) =>
  `From: Ada <ada@writer.example>\r\nTo: support@${domain}\r\nSubject: Order ${nth}\r\n` +
  `Message-ID: <${nth}@writer.example>\r\n\r\n${filler}`;

/** Emails that a mail server has taken, one for each of as many contacts. */
async function sentEmails(stand: Stand, projectId: string) {
  return stand.db.execute<{ id: string; recipient: string }>(sql`
    with person as (
      insert into contacts (id, project_id, email, consent)
      select new_id(), ${projectId}, 'person' || n || '@example.net', 'never'
      from generate_series(1, ${notifications}::int) n returning id, email
    )
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at)
    select new_id(), ${projectId}, new_id(), id, email, 'TRANSACTIONAL', 'SENT', app_now()
    from person returning id, recipient`);
}

/** Mail and notifications that come in: messages a second, each answered after its commit. */
export async function run(): Promise<BenchRow[]> {
  const dns = await startDnsServer();
  dns.txt("writer.example", "v=spf1 ip4:127.0.0.1 -all");
  dns.txt("_dmarc.writer.example", "v=DMARC1; p=none;");
  const stand = await startStand({ DNS_SERVERS: dns.address });
  try {
    const first = await bootstrap(stand.db, { email: "owner@example.com" });
    const projectId = decodeId("project", first.projectId) ?? "";
    await stand.db.insert(domains).values({
      id: newId(projectId),
      projectId,
      name: domain,
      status: "VERIFIED",
      inbound: true,
      ...(await createDkimKey()),
    });
    const port = await freePort();
    await untilReady(stand.run("bin/smtp.ts", [], { SMTP_INBOUND_PORT: String(port) }));
    const floor = stand.run("bench/inbound-floor.ts");
    const [floorPort] = (await once(floor, "message")) as [number];

    const letters = Array.from({ length: messages }, (_, nth) => ({
      raw: letter(nth),
      to: `support@${domain}`,
      from: "ada@writer.example",
    }));
    const plain = await bring(floorPort, letters);
    const received = await bring(port, letters);
    const emails = await sentEmails(stand, projectId);
    const returned = emails.map(({ id, recipient }) => ({
      raw: notification({ id, recipient, domain }, fullMailbox),
      to: returnPathOf(id, domain),
      from: "",
    }));
    const reported = await bring(port, returned);
    // Whatever was answered with 250 is there, and is counted once.
    const [row] = await stand.db.execute<{ mails: number; bounced: number }>(sql`
      select (select count(*)::int from inbound_emails) as mails,
        (select count(*)::int from emails where status = 'BOUNCED') as bounced`);
    if (row?.mails !== messages || row.bounced !== notifications) {
      throw new Error(`${row?.mails} messages and ${row?.bounced} bounces are there.`);
    }
    const unit = "messages/s";
    return [
      {
        what: `inbound mail, ${sessions} sessions, one program`,
        unit,
        figure: received,
        floor: plain,
        ratio: received / plain,
        goal: { least: 1000 },
      },
      {
        what: `${count(notifications)} bounces in a burst, the same sessions`,
        unit,
        figure: reported,
        floor: plain,
        ratio: reported / plain,
      },
    ];
  } finally {
    await stand.stop();
    await dns.stop();
  }
}

const count = (value: number) => value.toLocaleString("en");
