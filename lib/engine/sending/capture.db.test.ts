import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { contacts, domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { dispatchDue, send, storedEmail } from "@/lib/testing/delivery";

const database = useTestDatabase();

async function project() {
  const { ctx } = await makeProject(database.db);
  return { ...ctx, db: database.db };
}

const sandbox = (local: string) => `${local}@sandbox.test`;
const from = sandbox("shop");
const dispatch = () => dispatchDue({ db: database.db, transport: null });
const names = (email: { events: { name: string }[] }) => email.events.map(({ name }) => name);

async function rawOf(emailId: string): Promise<Buffer> {
  const [row] = await database.db.execute<{ raw: Buffer }>(
    sql`select raw from captured_emails where email_id = ${emailId}`,
  );
  if (!row) throw new Error("Nothing was captured.");
  return row.raw;
}

describe("captured mail", () => {
  it("is rendered for its recipient, kept as it would have left, and DELIVERED", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, {
      from: { email: from, name: "Käthe's Shop" },
      to: { email: "Ada@example.org", name: "Ada Łovelace" },
      subject: "Hi {{ name }} 👋",
      body: "<p>Dear {{ name }}, <a href='https://example.com/a?b=1&amp;c=2'>look</a></p>",
      data: { name: "Ada <3" },
      reply: "help@example.com",
      headers: { "X-Order": "17", References: "<a@b>" },
    });
    expect(await dispatch()).toEqual({ recorded: 1, refused: 0 });
    const email = await storedEmail(database.db, id);
    expect(email).toMatchObject({ status: "DELIVERED", waits: false, claimed: false });
    expect(email.subject).toBe("Hi Ada <3 👋");
    expect(names(email)).toEqual(["sent", "delivered"]);
    expect(email.sent_at).not.toBeNull();
    expect(email.delivered_at).not.toBeNull();

    const parsed = await PostalMime.parse(await rawOf(id));
    expect(parsed.subject).toBe("Hi Ada <3 👋");
    expect(parsed.from).toMatchObject({ address: from, name: "Käthe's Shop" });
    expect(parsed.to).toMatchObject([{ address: "Ada@example.org", name: "Ada Łovelace" }]);
    expect(parsed.replyTo).toMatchObject([{ address: "help@example.com" }]);
    expect(parsed.html).toContain("Dear Ada &lt;3");
    expect(parsed.text).toContain("Dear Ada <3, look [https://example.com/a?b=1&c=2]");
    expect(parsed.headers.find(({ key }) => key === "x-order")?.value).toBe("17");
    expect(parsed.messageId).toMatch(/^<em_[0-9a-z]{26}@sandbox\.test>$/);
  });

  it("carries attachments, inline ones under their Content-ID", async () => {
    const ctx = await project();
    const content = Buffer.from("0123456789".repeat(1000));
    const [id = ""] = await send(ctx, {
      from,
      body: "<img src='cid:logo'>",
      attachments: [
        { filename: "größe.txt", content: content.toString("base64"), contentType: "text/plain" },
        {
          filename: "logo.png",
          content: Buffer.from([1, 2, 3]).toString("base64"),
          contentType: "image/png",
          contentId: "logo",
        },
        {
          filename: "old.eml",
          content: Buffer.from("Subject: x\n\nBcc: y").toString("base64"),
          contentType: "message/rfc822",
        },
      ],
    });
    await dispatch();
    const parsed = await PostalMime.parse(await rawOf(id), { attachmentEncoding: "arraybuffer" });
    const attachments = parsed.attachments.map(
      ({ filename, contentId, disposition, content: bytes }) => ({
        filename,
        contentId,
        disposition,
        size: (bytes as ArrayBuffer).byteLength,
      }),
    );
    expect(attachments).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ filename: "größe.txt", size: 10_000, disposition: "attachment" }),
        expect.objectContaining({
          filename: "logo.png",
          size: 3,
          contentId: "<logo>",
          disposition: "inline",
        }),
        expect.objectContaining({ filename: "old.eml", size: 18 }),
      ]),
    );
  });

  it("of a template out of bounds ends FAILED and says why", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, {
      from,
      body: "{% for a in (1..1000) %}{% for b in (1..1000) %}x{% endfor %}{% endfor %}",
    });
    await dispatch();
    const email = await storedEmail(database.db, id);
    expect(email.status).toBe("FAILED");
    expect(email.events).toMatchObject([
      { name: "failed", data: { reason: expect.stringContaining("cannot be rendered") as string } },
    ]);
  });

  it("of many recipients gets each their own", async () => {
    const ctx = await project();
    const to = Array.from({ length: 100 }, (_, index) => `p${index}@example.org`);
    const ids = await send(ctx, { from, to, subject: "{{ email }}", body: "{{ email }}" });
    expect((await dispatch()).recorded).toBe(100);
    for (const [index, id] of ids.entries()) {
      expect(await storedEmail(database.db, id)).toMatchObject({
        status: "DELIVERED",
        subject: `p${index}@example.org`,
      });
    }
  });
});

describe("recipients at sandbox.test", () => {
  it("bounce, with the address suppressed: the next mail to it is not sent", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, { from, to: sandbox("bounced+a") });
    await dispatch();
    const email = await storedEmail(database.db, id);
    expect(email).toMatchObject({ status: "BOUNCED", waits: false });
    expect(email.bounced_at).not.toBeNull();
    expect(email.events).toMatchObject([{ name: "bounced", data: { type: "hard", code: 550 } }]);
    const [next = ""] = await send(ctx, { from, to: sandbox("Bounced+A") });
    expect(await storedEmail(database.db, next)).toMatchObject({ status: "FAILED", waits: false });
  });

  it("complain, and are unsubscribed and suppressed", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, { from, to: sandbox("complained+a"), subscribed: true });
    await dispatch();
    const email = await storedEmail(database.db, id);
    expect(email.status).toBe("COMPLAINED");
    expect(names(email)).toEqual(["sent", "delivered", "complained"]);
    const [row] = await database.db.execute<{ consent: string; reason: string }>(sql`
      select consent, reason from contacts c
      join suppressions s on s.project_id = c.project_id and s.email = c.email
      where c.project_id = ${ctx.projectId}`);
    expect(row).toEqual({ consent: "unsubscribed", reason: "complaint" });
  });

  it("defer, stay PENDING, and take the second try", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, { from, to: sandbox("deferred+a") });
    await dispatch();
    const deferred = await storedEmail(database.db, id);
    expect(deferred).toMatchObject({ status: "PENDING", waits: true, claimed: false, attempts: 1 });
    expect(deferred.due_in).toBeGreaterThan(50);
    await database.travel("2 minutes");
    await dispatch();
    const email = await storedEmail(database.db, id);
    expect(email.status).toBe("DELIVERED");
    expect(names(email)).toEqual(["deferred", "sent", "delivered"]);
  });
});

describe("the claim", () => {
  it("refuses whom a suppression reached after the mail was accepted", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, { from, to: "late@example.org" });
    await database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (gen_random_uuid(), ${ctx.projectId}, 'LATE@example.org', 'manual')`);
    expect(await dispatch()).toEqual({ recorded: 0, refused: 1 });
    const email = await storedEmail(database.db, id);
    expect(email).toMatchObject({ status: "FAILED", waits: false, claimed: false });
    expect(email.events).toEqual([{ name: "suppressed", data: { reason: "manual" } }]);
  });

  it("refuses campaign mail to who is not subscribed any more, and lets transactional mail pass", async () => {
    const ctx = await project();
    const [domain] = await database.db
      .select({ id: domains.id, name: domains.name })
      .from(domains)
      .where(eq(domains.projectId, ctx.projectId));
    if (!domain) throw new Error("The project has no sandbox domain.");
    const { emailIds } = await sendingCampaign(ctx, domain, [{ email: "left@example.org" }], {
      html: "<p>News</p>",
    });
    await database.db
      .update(contacts)
      .set({ consent: "unsubscribed" })
      .where(eq(contacts.projectId, ctx.projectId));
    const [transactional = ""] = await send(ctx, { from, to: "left@example.org" });
    await dispatch();
    expect((await storedEmail(database.db, transactional)).status).toBe("DELIVERED");
    const refused = await storedEmail(database.db, emailIds[0] ?? "");
    expect(refused.status).toBe("FAILED");
    expect(refused.events).toEqual([{ name: "suppressed", data: { reason: "unsubscribed" } }]);
  });

  it("leaves what is scheduled for later", async () => {
    const ctx = await project();
    const [id = ""] = await send(ctx, {
      from,
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    expect((await dispatch()).recorded).toBe(0);
    expect(await storedEmail(database.db, id)).toMatchObject({ status: "PENDING", waits: true });
  });
});
