import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { capturedEmails } from "@/db/schema";
import { isAppError } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import {
  clearCapturedEmails,
  deleteCapturedEmail,
  getCapturedEmail,
  listCapturedEmails,
} from "./captured";

const database = useTestDatabase();
const from = { email: "shop@sandbox.test", name: "Shop" };

async function mailbox(count: number) {
  const { ctx } = await makeProject(database.db);
  for (let index = 0; index < count; index++) {
    await send(ctx, {
      from,
      to: `p${index}@example.org`,
      subject: `Größe ${index}`,
      text: "plain",
      tracking: { opens: false },
    });
  }
  await dispatchDue({ db: database.db, transport: null });
  return ctx;
}

test("the mailbox lists newest first, in pages, and finds by address and subject", async () => {
  const ctx = await mailbox(5);
  const first = await listCapturedEmails(ctx, { limit: 3 });
  expect(first.data).toHaveLength(3);
  const second = await listCapturedEmails(ctx, { limit: 3, cursor: first.nextCursor });
  expect(second.nextCursor).toBeUndefined();
  const all = [...first.data, ...second.data];
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(all.map(({ to }) => to)).size).toBe(5);
  expect(all[0]).toMatchObject({ from, subject: expect.stringMatching(/^Größe \d$/) as string });
  const byAddress = await listCapturedEmails(ctx, { limit: 20, search: "P3@EXAMPLE" });
  expect(byAddress.data).toMatchObject([{ to: "p3@example.org", subject: "Größe 3" }]);
  const bySubject = await listCapturedEmails(ctx, { limit: 20, search: "größe 4" });
  expect(bySubject.data).toMatchObject([{ to: "p4@example.org" }]);
  expect((await listCapturedEmails(ctx, { limit: 20, search: "%" })).data).toEqual([]);
});

test("a message is parsed, and nobody sees another project's", async () => {
  const [ctx, other] = [await mailbox(1), await mailbox(0)];
  const [summary] = (await listCapturedEmails(ctx, { limit: 1 })).data;
  const email = await getCapturedEmail(ctx, summary?.id ?? "");
  expect(email).toMatchObject({
    subject: "Größe 0",
    text: "plain\n",
    html: "<p>Hello</p>\n",
    attachments: [],
  });
  expect(email.envelopeFrom).toMatch(/^b-.+@bounces\.sandbox\.test$/);
  expect(email.headers).toContainEqual({ name: "MIME-Version", value: "1.0" });
  expect(email.raw).toContain("DKIM-Signature: v=1;");
  await expect(getCapturedEmail(other, email.id)).rejects.toSatisfy(isAppError);
  expect((await listCapturedEmails(other, { limit: 10 })).data).toEqual([]);
});

test("clearing empties one project's mailbox alone", async () => {
  const [ctx, other] = [await mailbox(2), await mailbox(1)];
  await clearCapturedEmails(ctx);
  expect((await listCapturedEmails(ctx, { limit: 10 })).data).toEqual([]);
  expect((await listCapturedEmails(other, { limit: 10 })).data).toHaveLength(1);
  await expect(clearCapturedEmails({ ...ctx, role: "viewer" })).rejects.toSatisfy(isAppError);
});

test("one message is deleted by editors of its project, once", async () => {
  const [ctx, other] = [await mailbox(2), await mailbox(0)];
  const [first, second] = (await listCapturedEmails(ctx, { limit: 10 })).data;
  const id = first?.id ?? "";
  const notFound = { code: "NOT_FOUND" };
  await expect(deleteCapturedEmail(other, id)).rejects.toMatchObject(notFound);
  await expect(deleteCapturedEmail({ ...ctx, role: "viewer" }, id)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await deleteCapturedEmail(ctx, id);
  await expect(deleteCapturedEmail(ctx, id)).rejects.toMatchObject(notFound);
  await expect(deleteCapturedEmail(ctx, "cap_nonsense")).rejects.toMatchObject(notFound);
  expect((await listCapturedEmails(ctx, { limit: 10 })).data).toEqual([second]);
});

test("the platform's own mail is deleted by its reader alone", async () => {
  const { ctx, userId, projectId } = await makeProject(database.db);
  const id = newId(projectId);
  await database.db.insert(capturedEmails).values({
    ...{ id, projectId, readerUserId: userId },
    ...{ envelopeFrom: "", envelopeTo: "ada@example.com", raw: Buffer.from("Subject: Hi\r\n\r\n") },
  });
  const wireId = encodeId("capture", id);
  await expect(deleteCapturedEmail(ctx, wireId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const session = { id: newId(projectId), onlyProject: false };
  await deleteCapturedEmail({ ...ctx, session }, wireId);
});
