import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { isAppError } from "@/lib/ground/errors";
import { makeProject } from "@/lib/testing";
import { clearCapturedEmails, getCapturedEmail, listCapturedEmails } from "./captured";

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
