import { eq } from "drizzle-orm";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { afterAll, beforeAll, expect } from "vitest";
import { emails, messages } from "@/db/schema";
import type { TestDatabase } from "@/db/testing";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { buildEmail } from "@/lib/mail/content/build-email";
import { composeContent } from "@/lib/mail/content/compose-content";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { relayCertificate, type Certificate } from "@/lib/doors/smtp/certificate";
import { startRelay } from "@/lib/doors/smtp/relay/relay-server";
import type { Listening } from "@/lib/doors/smtp/server";

/** A message whose sender is verified in every project under the capture transport. */
export const plainMessage = (body = "Hello") =>
  `From: ada@sandbox.test\r\nTo: bob@example.com\r\nSubject: Hi\r\n\r\n${body}`;

/** The SASL PLAIN token of a key. */
export const loginToken = (key: string) => Buffer.from(`\0apikey\0${key}`).toString("base64");

/** Gives a test file a relay on a free loopback port, and a project with a key. Call at the top level. */
export function useRelay(database: TestDatabase) {
  let certificate: Certificate;
  let relay: Listening;
  let project: TestProject;

  const start = (options: { plaintextAuth: boolean }) =>
    startRelay({
      db: database.db,
      host: "127.0.0.1",
      port: 0,
      hostname: "localhost",
      certificate,
      ...options,
    });

  beforeAll(async () => {
    certificate = await relayCertificate(database.db);
    relay = await start({ plaintextAuth: false });
    project = await makeProject(database.db);
  });
  afterAll(() => relay.close());

  /** Sends with nodemailer, which checks the certificate; resolves to the final reply. */
  async function send(options: SendMailOptions, pass = project.apiKey): Promise<string> {
    const transport = nodemailer.createTransport({
      host: "127.0.0.1",
      port: relay.port,
      requireTLS: true,
      tls: { ca: certificate.cert },
      auth: { user: "apikey", pass },
    });
    try {
      const { response } = await transport.sendMail({
        from: "Ada Löve <ada@sandbox.test>",
        subject: "Hi",
        text: "Hello",
        ...options,
      });
      return response;
    } finally {
      transport.close();
    }
  }

  return {
    get port() {
      return relay.port;
    },
    get project() {
      return project;
    },
    /** Another relay with the same certificate; the caller closes it. */
    start,
    send,
    /** The reply that nodemailer failed with. */
    refused: (options: SendMailOptions) =>
      send(options).catch(
        (error: Error & { response?: string }) => error.response ?? error.message,
      ),
    /** A session that has logged in. */
    async session(key = project.apiKey): Promise<SmtpClient> {
      const opened = await SmtpClient.open(relay.port);
      expect((await opened.logIn(key)).code).toBe(235);
      return opened;
    },
    /** The records whose ids a reply names, with their messages. */
    async recordsOf(reply: string) {
      const ids = [...reply.matchAll(/em_[0-9a-z]+/g)].map(([id]) => decodeId("email", id) ?? "");
      const rows = [];
      for (const id of ids) {
        const [row] = await database.db
          .select()
          .from(emails)
          .innerJoin(messages, eq(messages.id, emails.messageId))
          .where(eq(emails.id, id));
        if (row) rows.push(row);
      }
      return rows;
    },
    /** What goes out to each recipient that a reply names: address and octets. */
    async sentTo(reply: string) {
      const contents = new MessageContents(database.db);
      const mails = [];
      for (const { emails: email } of await this.recordsOf(reply)) {
        const content = await contents.get(email.messageId);
        if (!content || email.recipient === null) throw new Error("The message is gone.");
        const addressed = {
          ...email,
          date: email.createdAt,
          recipient: email.recipient,
          recipientName: email.recipientName ?? "",
          contact: null,
          listFields: null,
          joinedBy: null,
        };
        const composed = await composeContent(content, addressed, contents);
        const raw = await buildEmail(addressed, content, composed, contents);
        mails.push({ recipient: email.recipient, raw });
      }
      return mails;
    },
    countEmails: (projectId = project.projectId): Promise<number> =>
      database.db.$count(emails, eq(emails.projectId, projectId)),
  };
}
