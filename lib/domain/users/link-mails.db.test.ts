import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import type { SMTPServerAddress, SMTPServerSession } from "smtp-server";
import { describe, expect, it } from "vitest";
import { capturedEmails, memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  clearCapturedEmails,
  getCapturedAttachment,
  getCapturedEmail,
  listCapturedEmails,
} from "@/lib/domain/emails/captured";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { smtpError, startMailServer, verifiedDomain } from "@/lib/testing/delivery";
import { mailLink } from "./link-mails";
import { consumeLoginToken } from "./login-tokens";
import { findOrCreateUser, getUser } from "./users";

const test = useTestDatabase();
type Answer = (error?: Error | null) => void;

const origin = { address: "192.0.2.1", userAgent: "Firefox", requestId: "test" };

/** The context of somebody who has signed in, or of one who came by a platform token's link. */
const signedIn = (ctx: Context, onlyProject = false): Context => ({
  ...ctx,
  session: { id: newUnownedId(), onlyProject },
});

function setTransport(url: string): void {
  process.env["MAIL_TRANSPORT"] = url;
  reloadEnv();
}

async function captured(projectId: string) {
  return test.db.execute<{ raw: Buffer; envelope_to: string }>(
    sql`select raw, envelope_to from captured_emails where project_id = ${projectId}`,
  );
}

describe("links by mail", () => {
  it("mails a working link, in text and in HTML", async () => {
    const { projectId, userId } = await makeProject(test.db);
    const { email } = await getUser(test.db, userId);
    await mailLink(test.db, { email: email.toUpperCase(), purpose: "password_reset" }, origin);
    const [mail] = await captured(projectId);
    expect(mail?.envelope_to).toBe(email);
    const parsed = await PostalMime.parse(mail?.raw ?? "");
    const token = /\/sign-in\/reset\/(\w+)/.exec(parsed.text ?? "")?.[1] ?? "";
    expect(parsed.html).toContain(`/sign-in/reset/${token}`);
    expect(await consumeLoginToken(test.db, token, "password_reset")).toMatchObject({
      user: { id: userId },
    });
  });

  it("shows a captured one to its reader alone, whoever else is or becomes a member", async () => {
    const { ctx, projectId, userId } = await makeProject(test.db);
    const member = await findOrCreateUser(test.db, { email: "member@example.com" });
    await test.db.insert(memberships).values({ projectId, userId: member.id, role: "owner" });
    const { email } = await getUser(test.db, userId);
    await mailLink(test.db, { email, purpose: "password_reset" }, origin);

    const own = await listCapturedEmails(signedIn(ctx), { limit: 20 });
    expect(own.data).toMatchObject([{ to: email }]);
    const id = own.data[0]?.id ?? "";
    expect(await getCapturedEmail(signedIn(ctx), id)).toMatchObject({ to: email });
    const colleague = signedIn({ ...ctx, actor: { type: "user", id: member.id } });
    // A platform token, and a session that one started: its links would open the other projects.
    for (const stranger of [colleague, ctx, signedIn(ctx, true)]) {
      expect(await listCapturedEmails(stranger, { limit: 20 })).toMatchObject({ data: [] });
      expect((await listCapturedEmails(stranger, { limit: 20, search: email })).data).toEqual([]);
      await expect(getCapturedEmail(stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(getCapturedAttachment(stranger, id, 0)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await clearCapturedEmails(stranger);
    }
    expect(await test.db.$count(capturedEmails, eq(capturedEmails.projectId, projectId))).toBe(1);
    await clearCapturedEmails(signedIn(ctx));
    expect(await captured(projectId)).toEqual([]);
  });

  it("leaves over TLS or not at all where the setting says so, like all other mail", async () => {
    const server = await startMailServer();
    const { userId } = await makeProject(test.db);
    const { email } = await getUser(test.db, userId);
    const mail = () => mailLink(test.db, { email, purpose: "password_reset" }, origin);
    try {
      setTransport(`${server.url}?tls=required`);
      await expect(mail()).rejects.toThrow(/STARTTLS/);
      expect(server.mails).toEqual([]);
      setTransport(`${server.url}?tls=opportunistic`);
      await mail();
      expect(server.mails).toMatchObject([{ to: [email] }]);
    } finally {
      setTransport("capture");
      await server.stop();
    }
  });

  it.each(["onMailFrom", "onRcptTo"] as const)(
    "leaves in the installation's own name where the mail server refuses the user's domain (%s)",
    async (moment) => {
      const { projectId, userId } = await makeProject(test.db);
      const { email } = await getUser(test.db, userId);
      const domain = `${moment.toLowerCase()}.refused.example.com`;
      await verifiedDomain(test.db, projectId, domain);
      const server = await startMailServer({
        [moment](address: SMTPServerAddress, session: SMTPServerSession, callback: Answer) {
          const { mailFrom } = session.envelope;
          const sender = moment === "onRcptTo" && mailFrom ? mailFrom.address : address.address;
          const refuses = sender.endsWith(`@${domain}`);
          callback(refuses ? smtpError(550, "5.1.0 Sender address rejected") : null);
        },
      });
      try {
        setTransport(server.url);
        await mailLink(test.db, { email, purpose: "login" }, origin);
        expect(server.mails).toMatchObject([{ to: [email] }]);
      } finally {
        setTransport("capture");
        await server.stop();
      }
    },
  );

  it("sends nothing to an address without an account", async () => {
    await mailLink(test.db, { email: "stranger@example.com", purpose: "login" }, origin);
    const [row] = await test.db.execute<{ mails: number }>(sql`
      select count(*)::int as mails from captured_emails
      where envelope_to = 'stranger@example.com'`);
    expect(row?.mails).toBe(0);
  });
});
