import { and, eq, like, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, contacts, emails, subscribers } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { auditSentence } from "@/lib/domain/audit/sentences";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createList } from "@/lib/domain/lists/lists";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { addSuppression, getSuppression, liftSuppression, listSuppressions } from "./suppressions";

const database = useTestDatabase();
const project = async () => (await makeProject(database.db)).ctx;
const page = { limit: 2 };

test("an address is added once, found in any case, and gets nothing, waiting mail included", async () => {
  const ctx = await project();
  const [waiting = ""] = await send(ctx, { from: "hello@sandbox.test", to: "Ada@sandbox.test" });
  const added = await Promise.all(
    ["ada@sandbox.test", "ADA@sandbox.test"].map((email) => addSuppression(ctx, { email })),
  );
  expect(added.map(({ created }) => created).toSorted()).toEqual([false, true]);
  expect(await getSuppression(ctx, "aDa@SANDBOX.test")).toMatchObject({
    reason: "manual",
    emailId: null,
  });
  await dispatchDue({ db: database.db, transport: null });
  const [email] = await database.db.select().from(emails).where(eq(emails.id, waiting));
  expect(email?.status).toBe("FAILED");
  const other = await project();
  await expect(getSuppression(other, "ada@sandbox.test")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(liftSuppression(other, "ada@sandbox.test")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("the list is paged, newest first, and filtered by address and reason", async () => {
  const ctx = await project();
  for (const name of ["a", "b", "c"]) await addSuppression(ctx, { email: `${name}_x@example.com` });
  const first = await listSuppressions(ctx, page);
  expect(first.data.map(({ email }) => email)).toEqual(["c_x@example.com", "b_x@example.com"]);
  const rest = await listSuppressions(ctx, { ...page, cursor: first.nextCursor });
  expect(rest).toEqual({ data: [expect.objectContaining({ email: "a_x@example.com" })] });
  expect((await listSuppressions(ctx, { ...page, search: "B_X" })).data).toHaveLength(1);
  expect((await listSuppressions(ctx, { ...page, search: "%" })).data).toHaveLength(0);
  expect((await listSuppressions(ctx, { ...page, reason: "complaint" })).data).toHaveLength(0);
});

test("lifting a bounce restores memberships; lifting a complaint leaves the person unsubscribed", async () => {
  for (const [report, status, consent] of [
    [{ kind: "bounced", hard: true }, "subscribed", "subscribed"],
    [{ kind: "complained", type: "abuse" }, "unsubscribed", "unsubscribed"],
  ] as const) {
    const ctx = await project();
    const email = "member@sandbox.test";
    const list = await createList(ctx, {
      name: "News",
      fromEmail: "hello@sandbox.test",
      fromName: "Shop",
    });
    await addSubscriber(ctx, list.id, { email, source: "api" });
    await database.db
      .update(contacts)
      .set({ consent: "subscribed" })
      .where(eq(contacts.projectId, ctx.projectId));
    const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: email });
    await database.db.execute(sql`update emails set status = 'SENT' where id = ${id}`);
    await recordReport(ctx, encodeId("email", id), report, "550 5.1.1 User unknown");
    expect(await getSuppression(ctx, email)).toMatchObject({
      emailId: encodeId("email", id),
      response: "550 5.1.1 User unknown",
    });
    // Another's, without an email, has no words of this one's.
    const { suppression } = await addSuppression(await project(), { email });
    expect(suppression.response).toBeNull();
    await liftSuppression(ctx, email);
    await expect(liftSuppression(ctx, email)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const [member] = await database.db
      .select({ status: subscribers.status, consent: contacts.consent })
      .from(subscribers)
      .innerJoin(contacts, eq(contacts.id, subscribers.contactId))
      .where(eq(subscribers.projectId, ctx.projectId));
    expect(member).toEqual({ status, consent });
    const acts = await database.db
      .select({ details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.projectId, ctx.projectId), eq(auditLog.action, "delete.suppression")));
    expect(acts).toHaveLength(1);
  }
});

test("an address that is no contact's is named by who lifted it, until it is deleted for good", async () => {
  const ctx = await project();
  const actor = { type: "user", id: "usr_1", name: "Ada" } as const;
  const told = async () => {
    const acts = await database.db
      .select({ action: auditLog.action, details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.projectId, ctx.projectId), like(auditLog.action, "%.suppression")))
      .orderBy(auditLog.id);
    return acts.map((act) => auditSentence({ ...act, actor }).before);
  };
  await addSuppression(ctx, { email: "Grace@example.com" });
  await liftSuppression(ctx, "grace@EXAMPLE.com");
  expect(await told()).toEqual([
    "Ada stopped all mail to Grace@example.com",
    "Ada allowed mail to Grace@example.com again",
  ]);
  await upsertContact(ctx, { email: "GRACE@example.com" });
  await deleteContact(ctx, "grace@example.com");
  expect(await told()).toEqual([
    "Ada stopped all mail to an address that is no contact’s",
    "Ada allowed mail to an address that is no contact’s again",
  ]);
});

test("viewers see them, editors change them", async () => {
  const ctx = await project();
  const viewer = { ...ctx, role: "viewer" as const };
  await addSuppression(ctx, { email: "ada@example.com" });
  expect((await listSuppressions(viewer, page)).data).toHaveLength(1);
  for (const act of [
    () => addSuppression(viewer, { email: "b@example.com" }),
    () => liftSuppression(viewer, "ada@example.com"),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
});
