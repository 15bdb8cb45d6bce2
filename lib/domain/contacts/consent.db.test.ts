import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getContact, updateContact } from "./contacts";
import { deleteContact } from "./delete";
import { upsertContact, upsertContacts } from "./upsert";

const database = useTestDatabase();

describe("an unsubscription", () => {
  const email = "left@example.com";

  test("is not lifted by adding the address in the dashboard, and what was typed is not taken for it", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email, unsubscribed: true });
    const session = { id: newUnownedId(), onlyProject: false };
    await expect(
      upsertContact({ ...ctx, session }, { email, firstName: "New", subscribed: true }),
    ).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("has unsubscribed") as string,
      details: [{ path: "resubscribe" }],
    });
    expect(await getContact(ctx, email)).toMatchObject({ subscribed: false, firstName: "" });
    const kept = { email, firstName: "New", subscribed: true, resubscribe: false };
    const { contact } = await upsertContact({ ...ctx, session }, kept);
    expect(contact).toMatchObject({ subscribed: false, firstName: "New" });
    const { contact: back } = await upsertContact(
      { ...ctx, session },
      { email, subscribed: true, resubscribe: true },
    );
    expect(back).toMatchObject({ subscribed: true, firstName: "New" });
  });

  test("is kept by a bulk that says so, of those who were deleted for good, too", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email, unsubscribed: true });
    await upsertContact(ctx, { email: "gone@example.com" });
    await deleteContact(ctx, "gone@example.com");
    const addresses = [email, "gone@example.com", "new@example.com"];
    await upsertContacts(
      ctx,
      addresses.map((address) => ({ email: address, subscribed: true, resubscribe: false })),
    );
    const states = await Promise.all(addresses.map((address) => getContact(ctx, address)));
    expect(states.map(({ subscribed }) => subscribed)).toEqual([false, false, true]);
  });

  test("is lifted by an act that names it, which is written down with what was before", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await upsertContact(ctx, { email, unsubscribed: true });
    const { contact } = await upsertContact(ctx, { email, subscribed: true });
    await updateContact(ctx, email, { subscribed: false });
    await upsertContacts(ctx, [{ email, subscribed: true }]);
    const rows = await database.db
      .select({ action: auditLog.action, details: auditLog.details, actor: auditLog.actorId })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.projectId, projectId),
          eq(auditLog.target, contact.id),
          sql`${auditLog.action} like '%subscribe.contact'`,
        ),
      )
      .orderBy(auditLog.id);
    const lifted = { action: "subscribe.contact", details: { before: "unsubscribed" } };
    expect(rows).toEqual(
      [lifted, { action: "unsubscribe.contact", details: { before: "subscribed" } }, lifted].map(
        (row) => ({ ...row, actor: ctx.actor.id }),
      ),
    );
  });
});
