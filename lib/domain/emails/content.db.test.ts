import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { isAppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getCapturedAttachment, getCapturedEmail } from "./captured";
import { getEmailAttachment, getEmailContent } from "./content";

const database = useTestDatabase();
const from = { email: "shop@sandbox.test", name: "Shop" };
const pixel = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAAC", "base64");

async function waiting(options: { role?: "viewer" } = {}) {
  const project = await makeProject(database.db, options);
  const [uuid = ""] = await send(
    { ...project.ctx, role: "owner" },
    {
      from,
      to: { email: "ada@example.org", name: "Ada" },
      subject: "Order {{ order }}",
      body: '<p>Hello {{ who }}</p><img src="cid:mark" alt=""><img src="cid:other" alt="">',
      data: { order: 4711, who: "<Ada>" },
      headers: { "X-Shop": "one" },
      attachments: [
        {
          filename: "mark.gif",
          content: pixel.toString("base64"),
          contentType: "image/gif",
          contentId: "mark",
        },
      ],
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    },
  );
  return { ...project, uuid, id: encodeId("email", uuid) };
}

test("mail that waits is shown as its recipient will get it, pictures included", async () => {
  const { ctx, id } = await waiting({ role: "viewer" });
  const { message, capturedId, problem } = await getEmailContent(ctx, id);
  expect({ capturedId, problem }).toEqual({ capturedId: null, problem: null });
  expect(message).toMatchObject({
    from,
    subject: "Order 4711",
    attachments: [{ filename: "mark.gif", contentId: "mark", inline: true, size: pixel.length }],
  });
  expect(message?.html).toContain("<p>Hello &lt;Ada&gt;</p>");
  expect(message?.html).toContain(`src="data:image/gif;base64,${pixel.toString("base64")}"`);
  expect(message?.html).toContain('src="cid:other"');
  expect(message?.text).toContain("Hello <Ada>");
  expect(message?.headers).toContainEqual({ name: "X-Shop", value: "one" });
  expect(message?.raw).toMatch(/^DKIM-Signature: /);
});

/** But for the date, which is that of the first try, and what is signed of it. */
function undated({ message }: Awaited<ReturnType<typeof getEmailContent>>) {
  const headers = message?.headers.filter(({ name }) => !/^(date|dkim-signature)$/i.test(name));
  const body = message?.raw.slice(message.raw.search(/\r?\n\r?\n/));
  return { ...message, headers, raw: body };
}

test("what was captured is shown byte for byte, and equals what was made before", async () => {
  const { ctx, uuid, id } = await waiting();
  const before = await getEmailContent(ctx, id);
  await database.db.execute(sql`update email_queue set asleep = false, due_at = app_now(),
      place = pg_current_xact_id() where email_id = ${uuid}`);
  await dispatchDue({ db: database.db, transport: null });
  // Data that changes later changes nothing about what was sent.
  await database.db.execute(
    sql`update messages set data = '{}' where project_id = ${ctx.projectId}`,
  );
  const after = await getEmailContent(ctx, id);
  expect(undated(after)).toEqual(undated(before));
  const captured = await getCapturedEmail(ctx, after.capturedId ?? "");
  expect(captured.raw).toBe(after.message?.raw);
  expect(captured.emailId).toBe(id);
});

test("mail that cannot be made any more says why", async () => {
  const { ctx, uuid, id } = await waiting();
  await database.db.execute(sql`
    update messages set subject = '{% if %}' where project_id = ${ctx.projectId}`);
  expect(await getEmailContent(ctx, id)).toMatchObject({
    message: null,
    problem: expect.stringContaining("subject") as string,
  });
  await database.db.execute(sql`update emails set recipient = null where id = ${uuid}`);
  expect((await getEmailContent(ctx, id)).problem).toContain("deleted");
});

test("nobody sees what another project's people get, and sending keys see nothing", async () => {
  const { ctx, id } = await waiting();
  const { ctx: other } = await makeProject(database.db);
  await expect(getEmailContent(other, id)).rejects.toSatisfy(isAppError);
  await expect(getEmailContent(ctx, "em_nonsense")).rejects.toSatisfy(isAppError);
  await expect(getEmailContent({ ...ctx, sendingOnly: true }, id)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});

test("an attachment is had as it was given, before and after the mail went out", async () => {
  const { ctx, id } = await waiting();
  const file = { filename: "mark.gif", content: pixel };
  expect(await getEmailAttachment(ctx, id, 0)).toEqual(file);
  await expect(getEmailAttachment(ctx, id, 1)).rejects.toSatisfy(isAppError);
  await database.db.execute(sql`
    update email_queue set asleep = false, due_at = app_now(),
      place = pg_current_xact_id() where project_id = ${ctx.projectId}`);
  await dispatchDue({ db: database.db, transport: null });
  const { capturedId } = await getEmailContent(ctx, id);
  expect(await getEmailAttachment(ctx, id, 0)).toEqual(file);
  expect(await getCapturedAttachment(ctx, capturedId ?? "", 0)).toEqual(file);
  const otherProject = await makeProject(database.db);
  await expect(getEmailAttachment(otherProject.ctx, id, 0)).rejects.toSatisfy(isAppError);
  await expect(getCapturedAttachment(otherProject.ctx, capturedId ?? "", 0)).rejects.toSatisfy(
    isAppError,
  );
});
