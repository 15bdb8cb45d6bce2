import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { Database } from "@/db/client";
import { domains } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { createDkimKey, type DkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import type { SendInput } from "@/lib/domain/emails/send-schema";
import { sendEmail } from "@/lib/domain/emails/send";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { Dispatcher, type DispatcherOptions } from "@/lib/engine/sending/dispatcher";
import { toItsEnd } from "./to-its-end";

/** One message as a mail server received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  raw: Buffer;
  session: SMTPServerSession;
}

export interface TestMailServer {
  port: number;
  url: string;
  mails: ReceivedMail[];
  stop(): Promise<void>;
}

/** What a refusal carries besides its words. */
export function smtpError(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

/** A real SMTP server on loopback that keeps what it is given. `options` override its behaviour. */
export async function startMailServer(
  options: SMTPServerOptions = {},
  port = 0,
  address = "127.0.0.1",
): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((one) => one.address),
          raw: Buffer.concat(chunks),
          session,
        });
        callback();
      });
    },
    ...options,
  });
  // Some tests are about clients that hang up.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, address, () => resolve()));
  const bound = (server.server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `smtp://${address}:${bound}`,
    mails,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A verified domain of the project, with its DKIM key, from which mail can really leave. */
export async function verifiedDomain(
  db: Database,
  projectId: string,
  name: string,
): Promise<DkimKey & { id: string }> {
  const key = await createDkimKey();
  const [domain] = await db
    .insert(domains)
    .values({ id: newId(projectId), projectId, name, status: "VERIFIED", ...key })
    .returning({ id: domains.id });
  if (!domain) throw new Error("An insert returned no row.");
  return { ...key, id: domain.id };
}

/** Sends through the domain function; resolves to the emails' uuids in the order of `to`. */
export async function send(ctx: Context, input: Partial<SendInput>): Promise<string[]> {
  const { result } = await sendEmail(ctx, {
    from: "shop@example.com",
    to: "ada@example.org",
    subject: "Hello",
    body: "<p>Hello</p>",
    ...input,
  });
  return result.data.emails.map(({ email }) => decodeId("email", email) ?? "");
}

export interface StoredEmail extends Record<string, unknown> {
  id: string;
  status: string;
  subject: string | null;
  attempts: number;
  waits: boolean;
  claimed: boolean;
  due_in: number | null;
  sent_at: string | null;
  delivered_at: string | null;
  bounced_at: string | null;
  complained_at: string | null;
  events: { name: string; data: Record<string, unknown> }[];
}

/** The email's row, with its events in their order. */
export async function storedEmail(db: Database, id: string): Promise<StoredEmail> {
  const [row] = await db.execute<StoredEmail>(sql`
    select id, status, subject, coalesce(q.attempts, e.attempts) as attempts,
      q.due_at is not null as waits, q.lease_id is not null as claimed,
      extract(epoch from q.due_at - app_now())::float8 as due_in,
      sent_at, delivered_at, bounced_at, complained_at,
      coalesce((select jsonb_agg(jsonb_build_object('name', v.name, 'data', v.data)
        order by v.created_at) from email_events v where v.email_id = e.id), '[]') as events
    from emails e left join email_queue q on q.email_id = e.id where id = ${id}`);
  if (!row) throw new Error("There is no such email.");
  return row;
}

/** Hands over what is due, then returns. */
export async function dispatchDue(options: DispatcherOptions) {
  return toItsEnd((signal) => new Dispatcher(options).run(signal, { untilEmpty: true }));
}
