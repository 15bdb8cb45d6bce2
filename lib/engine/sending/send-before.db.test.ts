import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { campaigns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { duplicateCampaign } from "@/lib/domain/campaigns/copies";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { databaseTime } from "@/lib/domain/emails/normalize";
import { scheduleCampaign } from "@/lib/domain/campaigns/transitions";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, smtpError, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const failedTooLate = {
  status: "FAILED",
  sent_at: null,
  events: [{ name: "failed", data: { reasonCode: "too_late" } }],
};

it("an email that was not sent in time is not sent any more, and says why", async () => {
  const { ctx, domain } = await sender();
  const server = await mailServer();
  const from = `shop@${domain}`;
  const [late = ""] = await send(ctx, { from, to: "late@example.org", sendBefore: inMinutes(10) });
  await database.travel("11 minutes");
  const [timely = ""] = await send(ctx, { from, to: "on@example.org", sendBefore: inMinutes(30) });
  await dispatch(server.url);
  expect(server.mails.map(({ to }) => to[0])).toEqual(["on@example.org"]);
  expect(await storedEmail(database.db, late)).toMatchObject(failedTooLate);
  expect(await storedEmail(database.db, timely)).toMatchObject({ status: "SENT" });
});

it("a later try counts as late, too", async () => {
  const { ctx, domain } = await sender();
  const server = await mailServer({
    onRcptTo(_, __, callback) {
      callback(smtpError(450, "4.2.1 Mailbox busy"));
    },
  });
  const at = (await databaseTime(database.db)).getTime();
  const sendBefore = new Date(at + 30_000).toISOString();
  const [id = ""] = await send(ctx, { from: `shop@${domain}`, sendBefore });
  await dispatch(server.url);
  expect(await storedEmail(database.db, id)).toMatchObject({ status: "PENDING", attempts: 1 });
  await database.travel("2 minutes");
  await dispatch(server.url);
  const { status, events } = await storedEmail(database.db, id);
  expect(status).toBe("FAILED");
  expect(events.map(({ name }) => name)).toEqual(["deferred", "failed"]);
});

it("of a campaign, whoever has not been sent it in time does not get it", async () => {
  const { ctx, domain, key } = await sender();
  const server = await mailServer();
  const { emailIds } = await sendingCampaign(
    ctx,
    { id: key.id, name: domain },
    [{ email: "a@example.org" }, { email: "b@example.org" }],
    { html: "<p>News</p>" },
  );
  await database.db
    .update(campaigns)
    .set({ sendBefore: new Date() })
    .where(eq(campaigns.projectId, ctx.projectId));
  await dispatch(server.url);
  expect(server.mails).toEqual([]);
  for (const id of emailIds) {
    expect(await storedEmail(database.db, id)).toMatchObject(failedTooLate);
  }
});

it("is refused where it is over, or before the mail is due; a copy of a campaign has none", async () => {
  const { ctx, domain } = await sender();
  const from = `shop@${domain}`;
  const invalid = { code: "VALIDATION_ERROR" };
  await expect(send(ctx, { from, sendBefore: "2020-01-01T00:00:00Z" })).rejects.toMatchObject(
    invalid,
  );
  const times = { scheduledAt: inMinutes(120), sendBefore: inMinutes(60) };
  await expect(send(ctx, { from, ...times })).rejects.toMatchObject(invalid);

  const campaign = await createCampaign(ctx, {
    name: "News",
    subject: "News",
    from,
    body: "<p>News</p>",
    sendBefore: times.sendBefore,
  });
  expect(campaign.sendBefore).toBe(times.sendBefore);
  await expect(
    scheduleCampaign(ctx, campaign.id, { scheduledAt: times.scheduledAt }),
  ).rejects.toMatchObject(invalid);
  expect(await duplicateCampaign(ctx, campaign.id)).toMatchObject({ sendBefore: null });
});
