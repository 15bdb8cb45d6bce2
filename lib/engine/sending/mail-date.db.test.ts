import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { capturedEmails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getEmailContent } from "@/lib/domain/emails/content";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { takeMails } from "@/lib/testing/campaign-mail";
import { dispatchDue, send, smtpError } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { claimEmails } from "./claim";
import { releaseEmails } from "./leases";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

test("mail that waited for weeks is dated, and says the day, when it goes out", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, {
    from: "shop@sandbox.test",
    subject: "{{ 'now' | date: '%Y-%m-%d' }}",
    text: "{{ word }}",
    data: { word: "Hello" },
  });
  await database.db.execute(sql`update emails set created_at = created_at - interval '20 days'`);
  const begun = Date.now();
  await dispatchDue({ db: database.db, transport: null });
  const [captured] = await database.db.select({ raw: capturedEmails.raw }).from(capturedEmails);
  const { date, subject, headers } = await PostalMime.parse(captured?.raw ?? "");
  const sent = Date.parse(date ?? "");
  expect(sent).toBeGreaterThan(begun - 2_000);
  expect(sent).toBeLessThan(Date.now() + 2_000);
  expect(subject).toBe(new Date(sent).toISOString().slice(0, 10));
  const signature = headers.find(({ key }) => key === "dkim-signature")?.value ?? "";
  expect(Number(/t=(\d+)/.exec(signature)?.[1])).toBe(Math.floor(sent / 1000));
  await database.db.delete(capturedEmails);
  const { message } = await getEmailContent(ctx, encodeId("email", id));
  expect(message?.subject).toBe(subject);
});

test("mail that is deferred keeps the date of its first try", async () => {
  const { ctx, domain } = await sender();
  let busy = true;
  const server = await mailServer({
    onRcptTo: (_, __, callback) => callback(busy ? smtpError(450, "4.2.1 Come back later") : null),
  });
  await send(ctx, { from: `shop@${domain}` });
  await dispatch(server.url);
  const [row] = await database.db.execute<{ begun: string }>(sql`
    update email_queue set begun_at = begun_at - interval '2 hours', due_at = app_now(), asleep = false,
      place = pg_current_xact_id()
    where project_id = ${ctx.projectId} returning begun_at as begun`);
  busy = false;
  await dispatch(server.url);
  const [mail] = await takeMails(server);
  const { date } = await PostalMime.parse(mail?.raw ?? "");
  expect(Date.parse(date ?? "")).toBe(Math.floor(Date.parse(row?.begun ?? "") / 1000) * 1000);
});

test("mail that was claimed and given back has no date yet", async () => {
  const { ctx } = await makeProject(database.db);
  await send(ctx, { from: "shop@sandbox.test" });
  const { emails } = await claimEmails(database.db, { limit: 10, leaseSeconds: 60 });
  await releaseEmails(database.db, emails);
  const rows = await database.db.execute<{ begun_at: string | null }>(sql`
    select begun_at from email_queue where project_id = ${ctx.projectId}`);
  expect(rows.map((row) => row.begun_at)).toEqual([null]);
});
