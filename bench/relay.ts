import { sql } from "drizzle-orm";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { SmtpClient } from "@/lib/testing/smtp-client";
import type { BenchRow } from "./row";
import { startStand, untilReady } from "./stand";
import { freePort } from "@/db/embedded/free-port";

const sessions = 32;
const warmUpMs = 2000;
const measureMs = 6000;

const message = Buffer.from(
  [
    "From: Press <hello@sandbox.test>",
    "To: person@example.com",
    "Subject: Welcome",
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=utf-8",
    "",
    `<p>Good that you are here.</p>${"<p>Set, inked and pressed.</p>\r\n".repeat(30)}`,
  ].join("\r\n"),
);

/** One session over TLS that sends one message after the other, as nodemailer's pool does. */
async function send(
  client: SmtpClient,
  nth: number,
  end: number,
  taken: (ms: number) => void,
): Promise<void> {
  for (let count = 0; performance.now() < end; count++) {
    const began = performance.now();
    const { code, lines } = await client.send(message, [`person${nth}-${count}@example.com`]);
    if (code !== 250) throw new Error(`The relay answered ${code} ${lines.join(" ")}`);
    taken(performance.now() - began);
  }
  client.end();
}

/** Accepting mail over SMTP: messages a second over 32 sessions, each answered after its commit. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  try {
    const { apiKey } = await bootstrap(stand.db, { email: "owner@example.com" });
    await stand.db.execute(sql`update projects set sends_per_minute = 100000000`);
    const port = await freePort();
    await untilReady(stand.run("bin/smtp.ts", [], { SMTP_RELAY_PORT: String(port) }));
    const clients = await Promise.all(
      Array.from({ length: sessions }, async () => {
        const client = await SmtpClient.open(port);
        const { code } = await client.logIn(apiKey);
        if (code !== 235) throw new Error(`The login was answered ${code}.`);
        return client;
      }),
    );
    const begin = performance.now() + warmUpMs;
    const end = begin + measureMs;
    const latencies: number[] = [];
    let sent = 0;
    await Promise.all(
      clients.map((client, nth) =>
        send(client, nth, end, (ms) => {
          sent++;
          const now = performance.now();
          if (now >= begin && now < end) latencies.push(ms);
        }),
      ),
    );
    // Whatever was answered with 250 is there: a fast answer without a row would be worth nothing.
    const [row] = await stand.db.execute<{ emails: number }>(
      sql`select count(*)::int as emails from emails`,
    );
    if (row?.emails !== sent) throw new Error(`${sent} were answered, ${row?.emails} are there.`);
    latencies.sort((one, other) => one - other);
    return [
      {
        what: `SMTP relay, ${sessions} sessions over TLS`,
        unit: "messages/s",
        figure: latencies.length / (measureMs / 1000),
        floor: null,
        ratio: null,
        goal: { least: 1000 },
      },
      {
        what: "SMTP relay, the 99th percentile of the same messages",
        unit: "ms",
        figure: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
        floor: null,
        ratio: null,
      },
    ];
  } finally {
    await stand.stop();
  }
}
