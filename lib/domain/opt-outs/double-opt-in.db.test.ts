import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { personRequests } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { mergeContacts } from "@/lib/domain/contact-merges/merge";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { unsubscribe, updateSubscriber } from "@/lib/domain/lists/change-subscribers";
import { makeProject } from "@/lib/testing";
import { confirmToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { confirmSubscription, getConfirmation } from "./double-opt-in";
import { join, makeList, snapshot } from "@/lib/testing/opt-outs";

const database = useTestDatabase();
const email = "ada@example.com";

async function waiting() {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx, { subscribeConfirmation: true, sendWelcomeEmail: true });
  const member = await join(ctx, list.id, email);
  const uuid = decodeId("subscriber", member.id) ?? "";
  return { ctx, projectId, list, member, uuid, token: confirmToken(uuid) };
}

describe("confirming", () => {
  test("looking changes nothing, confirming 20 times at once subscribes and greets once", async () => {
    const { ctx, projectId, member, token } = await waiting();
    const before = await snapshot(database.db, projectId);
    expect(await getConfirmation(database.db, token)).toMatchObject({
      ...{
        state: "open",
        brand: { project: "Test project" },
        list: "News",
        email,
        subscribed: false,
      },
    });
    expect(await snapshot(database.db, projectId)).toBe(before);
    await Promise.all(
      Array.from({ length: 20 }, async () =>
        expect(await confirmSubscription(database.db, token)).toMatchObject({ subscribed: true }),
      ),
    );
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect((await getContact(ctx, email)).subscribed).toBe(true);
    const after = await snapshot(database.db, projectId);
    // The request to confirm and one welcome.
    expect(after.match(/"LIST"/g)).toHaveLength(2);
    expect(await getConfirmation(database.db, token)).toMatchObject({
      state: "used",
      subscribed: true,
    });
  });

  test("is nobody's who reads mail at an address that the project has corrected", async () => {
    const { ctx, projectId, uuid, member } = await waiting();
    const mailed = confirmToken(uuid, email.toUpperCase());
    await updateSubscriber(ctx, member.id, { email: "right@example.com" });
    const before = await snapshot(database.db, projectId);
    const gone = { state: "gone", email: "", token: "" };
    expect(await getConfirmation(database.db, mailed)).toMatchObject(gone);
    expect(await confirmSubscription(database.db, mailed)).toMatchObject(gone);
    expect(await snapshot(database.db, projectId)).toBe(before);
    const corrected = confirmToken(uuid, "right@example.com");
    expect(await confirmSubscription(database.db, corrected)).toMatchObject({ subscribed: true });
  });

  test("is theirs who moved to another address themselves, or were merged into another contact", async () => {
    const { ctx, uuid, member } = await waiting();
    const mailed = confirmToken(uuid, email);
    const { contact } = await upsertContact(ctx, { email: "kept@example.com" });
    await mergeContacts(ctx, contact.id, { other: member.contactId });
    expect(await getConfirmation(database.db, mailed)).toMatchObject({ state: "open" });
    await database.db.insert(personRequests).values({
      ...{ id: newId(ctx.projectId), projectId: ctx.projectId, kind: "address", doneAt: now },
      ...{ contactId: decodeId("contact", contact.id) ?? "", email: "moved@example.com" },
      previousEmail: "kept@example.com",
    });
    await updateContact(ctx, contact.id, { email: "moved@example.com" });
    const moved = confirmToken(uuid, "kept@example.com");
    expect(await confirmSubscription(database.db, moved)).toMatchObject({ subscribed: true });
  });

  test("an old link brings nobody back who has left since", async () => {
    const { ctx, member, token } = await waiting();
    await confirmSubscription(database.db, token);
    await unsubscribe(ctx, member.id);
    expect(await confirmSubscription(database.db, token)).toMatchObject({
      ...{ state: "used", subscribed: false },
    });
    expect((await getSubscriber(ctx, member.id)).status).toBe("unsubscribed");
  });

  test("works for 30 days, then for nobody", async () => {
    const { ctx, member, token } = await waiting();
    await database.travel("29 days");
    expect((await getConfirmation(database.db, token))?.state).toBe("open");
    await database.travel("31 days");
    expect((await getConfirmation(database.db, token))?.state).toBe("expired");
    expect((await confirmSubscription(database.db, token))?.state).toBe("expired");
    expect((await getSubscriber(ctx, member.id)).status).toBe("unconfirmed");
    await database.travel("0 days");
  });

  test("lifts no unsubscription from everything, and says so", async () => {
    const { ctx, member, token } = await waiting();
    await upsertContact(ctx, { email, unsubscribed: true });
    expect(await confirmSubscription(database.db, token)).toMatchObject({
      ...{ subscribed: true, leftAll: true },
    });
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect((await getContact(ctx, email)).subscribed).toBe(false);
  });

  test("a token of another kind confirms nothing, and a deleted person has nothing to confirm", async () => {
    const { ctx, projectId, uuid, token } = await waiting();
    const before = await snapshot(database.db, projectId);
    for (const wrongToken of [recipientToken(uuid), `${token}A`, "", uuid]) {
      expect(await confirmSubscription(database.db, wrongToken)).toBeNull();
      expect(await getConfirmation(database.db, wrongToken)).toBeNull();
    }
    expect(await snapshot(database.db, projectId)).toBe(before);
    await deleteContact(ctx, email);
    expect(await confirmSubscription(database.db, token)).toMatchObject({ state: "gone" });
  });
});
