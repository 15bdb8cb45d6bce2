import { encodeId } from "@/lib/ground/ids/ids";
import { SmtpClient } from "@/lib/testing/smtp-client";

/** At the same time, each with one mail after the other. */
export const sessions = 32;

/** What a notification says of its one recipient. */
export interface Verdict {
  action: "failed" | "delayed" | "delivered";
  status: string;
  reply: string;
}

export const fullMailbox: Verdict = {
  action: "failed",
  status: "5.2.2",
  reply: "552 5.2.2 Mailbox full",
};

export const notification = (
  { id, recipient, domain }: { id: string; recipient: string; domain: string },
  { action, status, reply }: Verdict,
) =>
  [
    "From: MAILER-DAEMON@mx.example.net",
    "Subject: Delivery Status Notification",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b\r\n\r\nThis is about your message.\r\n",
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n",
    `Final-Recipient: rfc822; ${recipient}\r\nAction: ${action}\r\nStatus: ${status}`,
    `Diagnostic-Code: smtp; ${reply}\r\n`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${encodeId("email", id)}@${domain}>\r\n`,
    "--b--",
  ].join("\r\n");

export interface Mail {
  raw: string;
  to: string;
  from: string;
}

/** Delivers all of it over its own sessions; returns how many a second were answered with 250. */
export async function bring(port: number, mails: readonly Mail[]): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const client = await SmtpClient.open(port);
      await client.say("EHLO mx.writer.example");
      return client;
    }),
  );
  let next = 0;
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let mail = mails[next++]; mail; mail = mails[next++]) {
        const { code, lines } = await client.send(mail.raw, [mail.to], mail.from);
        if (code !== 250) throw new Error(`The server answered ${code} ${lines.join(" ")}`);
      }
      client.end();
    }),
  );
  return mails.length / ((performance.now() - began) / 1000);
}
