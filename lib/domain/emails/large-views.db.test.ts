import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { capturedEmails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { withViewMemory } from "@/lib/mail/incoming/view-memory";
import { viewMessage } from "@/lib/mail/message/message-view";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { costOf, shareOfCost } from "@/lib/testing/cpu-time";
import { loopDuring } from "@/lib/testing/loop-during";
import type { CapturedSummary } from "./captured-schema";
import { getCapturedAttachment, getCapturedEmail, listCapturedEmails } from "./captured";
import { getEmailAttachment, getEmailContent } from "./content";

const database = useTestDatabase();
const file = Buffer.alloc(15_000_000, "what a large file says ");

const raw = Buffer.from(
  `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n${file
    .toString("base64")
    .replaceAll(/.{76}/g, "$&\r\n")}`,
);

/** Expects that `view` takes of the loop, in one piece, a part of what viewing such a mail on it takes at most. */
async function expectLoopFree(view: () => Promise<unknown>): Promise<void> {
  const onLoop = () => loopDuring(() => viewMessage(raw));
  const share = await shareOfCost(() => loopDuring(view), { of: onLoop, enough: 0.75 });
  expect(share).toBeLessThan(0.75);
}

async function largeMail(ctx: Context): Promise<string> {
  const [uuid = ""] = await send(ctx, {
    from: "shop@sandbox.test",
    attachments: [{ filename: "large.bin", content: file.toString("base64") }],
  });
  return encodeId("email", uuid);
}

async function capturedId(ctx: Context): Promise<string> {
  const { data } = await listCapturedEmails(ctx, { limit: 1 });
  return data[0]?.id ?? "";
}

test("mail of 20 MB is shown without keeping the loop busy, waiting and captured, and so is a file of it", async () => {
  const { ctx } = await makeProject(database.db);
  const id = await largeMail(ctx);
  const sizes = async (view: () => Promise<{ attachments: { size: number }[] } | null>) => {
    let shown: Awaited<ReturnType<typeof view>> = null;
    // The process starts in its own time.
    await view();
    await expectLoopFree(async () => (shown = await view()));
    return (shown as Awaited<ReturnType<typeof view>>)?.attachments.map(({ size }) => size);
  };
  const content = async () => (await getEmailContent(ctx, id)).message;
  expect(await sizes(content)).toEqual([file.length]);
  await dispatchDue({ db: database.db, transport: null });
  expect(await sizes(content)).toEqual([file.length]);
  const captured = await capturedId(ctx);
  expect(await sizes(() => getCapturedEmail(ctx, captured))).toEqual([file.length]);
  for (const given of [
    () => getEmailAttachment(ctx, id, 0),
    () => getCapturedAttachment(ctx, captured, 0),
  ]) {
    let content: Buffer = Buffer.alloc(0);
    await expectLoopFree(async () => ({ content } = await given()));
    expect(content.equals(file)).toBe(true);
  }
}, 120_000);

test("views of a project wait for its share of memory, whatever they show, and another's do not", async () => {
  const [{ ctx }, { ctx: neighbour }] = [
    await makeProject(database.db),
    await makeProject(database.db),
  ];
  const id = await largeMail(ctx);
  const ofNeighbour = await largeMail(neighbour);
  const waiting = await largeMail(ctx);
  await dispatchDue({ db: database.db, transport: null });
  await database.db.execute(sql`delete from captured_emails
    where email_id = ${decodeId("email", waiting)}`);
  const captured = await capturedId(ctx);
  let [shown, release] = [0, () => {}];
  const full = withViewMemory(ctx.projectId, async (memory) => {
    await memory.hold(48 * 1024 * 1024);
    await new Promise<void>((resolve) => (release = resolve));
  });
  const views = Promise.all(
    [
      () => getEmailContent(ctx, id),
      () => getEmailContent(ctx, waiting),
      () => getEmailAttachment(ctx, id, 0),
      () => getCapturedEmail(ctx, captured),
      () => getCapturedAttachment(ctx, captured, 0),
    ].map(async (view) => {
      await view();
      shown++;
    }),
  );
  expect((await getEmailContent(neighbour, ofNeighbour)).message?.attachments).toHaveLength(1);
  expect(shown).toBe(0);
  release();
  await Promise.all([full, views]);
  expect(shown).toBe(5);
}, 120_000);

test("the captured mailbox reads heads no further than it shows them", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const long = "=?utf-8?q?there?=\r\n ".repeat(1_500);
  const head = `X-Other: ${long}\r\nFROM: Shop\r\n <shop@sandbox.test>\r\nSubject: Hello ${long}\r\n`;
  const raw = Buffer.from(`${head}\r\nHello`);
  const row = { projectId, raw, envelopeFrom: "a@sandbox.test", envelopeTo: "b@sandbox.test" };
  await database.db
    .insert(capturedEmails)
    .values(Array.from({ length: 100 }, () => ({ ...row, id: newId(projectId) })));
  let data: CapturedSummary[] = [];
  const list = async () => ({ data } = await listCapturedEmails(ctx, { limit: 100 }));
  const whole = async () => {
    for (let n = 0; n < 100; n++) await PostalMime.parse(raw);
  };
  const share = await shareOfCost(() => costOf(list), { of: () => costOf(whole), enough: 0.5 });
  expect(share).toBeLessThan(0.5);
  expect(data).toHaveLength(100);
  for (const { from, subject } of data) {
    expect(from).toEqual({ email: "shop@sandbox.test", name: "Shop" });
    expect(subject).toMatch(/^Hello there/);
  }
});
