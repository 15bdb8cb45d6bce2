import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { subscribe } from "@/lib/domain/lists/change-subscribers";
import { getSubscriber, listSubscribers } from "@/lib/domain/lists/subscribers";
import { getPreferences } from "@/lib/domain/opt-outs/preferences";
import { decodeId } from "@/lib/ground/ids/ids";
import { contactToken } from "@/lib/mail/tracking/tokens";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { personRequestsOf } from "@/lib/testing/person-requests";
import { createTrackingApp } from "./app";

/* A change of address to one that is a contact's already. */

const database = useTestDatabase();
const email = "ada@example.com";
const other = "lovelace@example.com";
const { ask, page, reader, linkTo, kinds } = personRequestsOf(createTrackingApp(), database, email);

test("a move to an address that is known looks the same, and keeps the two apart", async () => {
  const { ctx, projectId, wants, list, member } = await reader();
  const second = await makeList(ctx, { name: "Left long ago" });
  await join(ctx, second.id, email);
  const newcomer = await join(ctx, second.id, other);
  const theirs = await campaignMail(database.db, ctx, { ...newcomer, listId: second.id });
  await ask("POST", `/t/u/${theirs.token}`);
  const said = await page(await wants({ action: "address", email: other }));
  expect(said).toContain("a message is on its way there");
  const confirm = await linkTo(projectId, other);
  await ask("POST", `/t${confirm}`, { action: "confirm" });
  expect(await page(confirm)).toContain("Your address has been changed");
  expect(await getContact(ctx, email)).toMatchObject({
    ...{ id: member.contactId, subscribed: false },
  });
  expect((await getContact(ctx, other)).id).toBe(newcomer.contactId);
  // On what it never was, and not on what it had left.
  const members = (await listSubscribers(ctx, list.id, { limit: 20 })).data;
  expect(members.find((one) => one.email === other)?.status).toBe("subscribed");
  expect((await getSubscriber(ctx, newcomer.id)).status).toBe("unsubscribed");
});

test("a move to an address that is known can be taken back by the old mailbox, too, unless they chose otherwise since", async () => {
  const { ctx, projectId, wants, member } = await reader();
  await upsertContact(ctx, { email: other });
  const moves = async () => {
    await wants({ action: "address", email: other });
    await ask("POST", `/t${await linkTo(projectId, other)}`, { action: "confirm" });
    expect((await getContact(ctx, email)).subscribed).toBe(false);
    return linkTo(projectId, email);
  };
  const undo = await moves();
  expect(await page(undo)).toContain("Change it back");
  await Promise.all([1, 2, 3].map(async () => ask("POST", `/t${undo}`, { action: "undo" })));
  expect(await page(undo)).toContain("Your previous address is back");
  expect(await getContact(ctx, email)).toMatchObject({ id: member.contactId, subscribed: true });
  expect((await getContact(ctx, other)).subscribed).toBe(true);
  expect((await kinds(ctx, email)).filter(([kind]) => kind === "subscription").slice(0, 2)).toEqual(
    [
      ["subscription", "subscribed"],
      ["subscription", "unsubscribed"],
    ],
  );
  const second = await moves();
  await wants({ action: "return" });
  await wants({ action: "leave-all" });
  const shown = await page(second);
  expect(shown).not.toContain("Change it back");
  expect(shown).toContain("This can no longer be changed here");
  await ask("POST", `/t${second}`, { action: "undo" });
  expect((await getContact(ctx, email)).subscribed).toBe(false);
});

test("a move to an address that is known takes breaks, how often and what waits to be confirmed along", async () => {
  const { ctx, projectId, wants, list } = await reader();
  const there = await upsertContact(ctx, { email: other });
  const asked = await makeList(ctx, { name: "Asked", subscribeConfirmation: true });
  const here = await join(ctx, asked.id, email);
  await subscribe(ctx, here.id);
  const waiting = await join(ctx, asked.id, other);
  expect(waiting.status).toBe("unconfirmed");
  await wants({ action: "pause", days: "90" });
  await wants({ action: "weekly" });
  await wants({ action: "address", email: other });
  await ask("POST", `/t${await linkTo(projectId, other)}`, { action: "confirm" });
  const contactId = decodeId("contact", there.contact.id) ?? "";
  expect(await getPreferences(database.db, contactToken(contactId))).toMatchObject({
    ...{ email: other, weekly: true, pausedUntil: expect.any(Date) as Date },
    lists: [
      { id: asked.id, status: "subscribed" },
      { id: list.id, status: "subscribed" },
    ],
  });
  expect((await getContact(ctx, other)).state).toBe("paused");
  expect(await kinds(ctx, other)).toEqual(
    expect.arrayContaining([
      ["pause", "paused"],
      ["frequency", "weekly"],
    ]),
  );
});
